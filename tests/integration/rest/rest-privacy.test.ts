import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import {
  aBlog,
  aComment,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* Likes and saves carry a person's real id only where they show that list and the viewer can see their account. */

const roles = ["guest", "stranger", "follower", "author", "hides", "closed"] as const;
type Role = (typeof roles)[number];

let testSite: TestSite;
/** Shows likes and saves. */
let open: SignedInBrowser;
/** Shows neither. */
let hides: SignedInBrowser;
/** Shows both, to followers. */
let closed: SignedInBrowser;
let author: SignedInBrowser;
let clients: Record<Role, ApiClient>;
let first: { id: string; slug: string };
let second: { id: string; slug: string };
let comment: { id: string };

beforeAll(async () => {
  testSite = await startTestSite();
  author = await testSite.createAccount("Ana");
  [open, hides, closed] = [
    await testSite.createAccount("Open"),
    await testSite.createAccount("Hides"),
    await testSite.createAccount("Closed"),
  ];
  const [stranger, follower] = [
    await testSite.createAccount("Stranger"),
    await testSite.createAccount("Follower"),
  ];
  await open.api.users.updateSettings.mutate({ showLikedBlogs: true, showSavedBlogs: true });
  await hides.api.users.updateSettings.mutate({ showLikedBlogs: false, showSavedBlogs: false });
  await closed.api.users.updateSettings.mutate({ showLikedBlogs: true, showSavedBlogs: true });
  await follower.api.social.follow.mutate({ userId: closed.me.id, follow: true });
  await closed.api.users.updateSettings.mutate({ private: true });
  [first, second] = [
    await author.api.blogs.create.mutate(aBlog()),
    await author.api.blogs.create.mutate(aBlog()),
  ];
  comment = await author.api.comments.create.mutate(aComment(first));
  for (const { api } of [open, hides, closed]) {
    for (const { id } of [first, second]) {
      await api.social.likeBlog.mutate({ blogId: id, liked: true });
      await api.social.saveBlog.mutate({ blogId: id, saved: true });
    }
    await api.comments.like.mutate({ id: comment.id, liked: true });
    // So that the blogs are in further lists, too.
    await api.social.follow.mutate({ userId: author.me.id, follow: true });
  }
  await author.api.social.likeBlog.mutate({ blogId: second.id, liked: true });
  clients = {
    guest: new ApiClient(testSite),
    stranger: await ApiClient.of(testSite, stranger),
    follower: await ApiClient.of(testSite, follower),
    author: await ApiClient.of(testSite, author),
    hides: await ApiClient.of(testSite, hides),
    closed: await ApiClient.of(testSite, closed),
  };
});
afterAll(() => testSite[Symbol.asyncDispose]());

const readBlog = async (role: Role, blog: { slug: string }) =>
  (await clients[role].call("GET", `/blogs/${blog.slug}`)).body.blog as {
    likes: string[];
    totalSaves: string[];
    comments: { likes: string[]; likesCount: number }[];
    likesCount: number;
    totalSavesCount: number;
  };
const allIds = () => [open.me.id, hides.me.id, closed.me.id];
/** Of the three, those whose real ids each role can see. */
const knownIds = (): Record<Role, string[]> => ({
  guest: [open.me.id],
  stranger: [open.me.id],
  follower: [open.me.id, closed.me.id],
  author: [open.me.id],
  hides: [open.me.id, hides.me.id],
  closed: [open.me.id, closed.me.id],
});

test.each(roles)(
  "%s sees the real ids of people they may know, and pseudonyms of the others",
  async (role) => {
    const blog = await readBlog(role, first);
    for (const list of [blog.likes, blog.totalSaves, blog.comments[0]!.likes]) {
      expect(list).toHaveLength(3);
      expect(new Set(list).size).toBe(3);
      expect(list.filter((id) => allIds().includes(id)).sort()).toEqual(knownIds()[role].sort());
      for (const id of list) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/);
    }
    expect([blog.likesCount, blog.totalSavesCount, blog.comments[0]!.likesCount]).toEqual([3, 3, 3]);
  },
);

test("uses the same pseudonyms throughout one blog for every viewer, and others in the next blog", async () => {
  const pseudonyms = (list: string[]) =>
    list.filter((id) => !allIds().includes(id) && id !== author.me.id).sort();
  const [one, same, other] = [
    await readBlog("guest", first),
    await readBlog("stranger", first),
    await readBlog("guest", second),
  ];
  const names = pseudonyms(one.likes);
  expect(names).toHaveLength(2);
  for (const list of [one.totalSaves, one.comments[0]!.likes, same.likes, same.totalSaves])
    expect(pseudonyms(list)).toEqual(names);
  expect(pseudonyms(await readBlog("follower", first).then(({ likes }) => likes))).toHaveLength(1);
  expect(names).toEqual(expect.arrayContaining(pseudonyms((await readBlog("follower", first)).likes)));
  for (const id of pseudonyms(other.likes)) expect(names).not.toContain(id);

  const [name = ""] = names;
  expect((await clients.stranger.call("PATCH", `/follow/${name}`, {})).status).toBe(404);
  expect((await clients.stranger.call("GET", `/blogs/user/${name}`)).status).toBe(404);
  expect(
    (await clients.author.call("PATCH", "/handle-follow-request", { requesterId: name, action: "accept" }))
      .status,
  ).toBe(404);
});

test("keeps the secret of the site's pseudonyms in its database", async () => {
  const secrets = () => testSite.rows<{ value: string }>("select value from meta where key = 'site_secret'");
  const [before] = secrets();
  expect(before?.value.length).toBeGreaterThan(40);
  await readBlog("guest", first);
  expect(secrets()).toEqual([before]);
});

test("names no one who hides likes and saves in cards, profiles and responses to changes", async () => {
  for (const role of roles) {
    const client = clients[role];
    const paths = [
      "/blogs?limit=50",
      "/blogs?sort=likes",
      "/search-blogs?search=walk",
      "/search-blogs?search=",
      `/blogs/${first.slug}`,
      `/blogs/${second.slug}`,
      ...(role === "guest" ? [] : ["/recommended", `/blogs/user/${author.me.id}`]),
    ];
    const answers = [];
    for (const path of paths) answers.push((await client.call("GET", path)).body);
    for (const answer of answers) {
      // Followers are public here: Ana shows them.
      const text = JSON.stringify(answer, (key, value: unknown) => (key === "followers" ? undefined : value));
      for (const id of allIds().filter((one) => !knownIds()[role].includes(one)))
        expect([role, text.includes(id)]).toEqual([role, false]);
    }
    const cards = answers.flatMap(
      ({ blogs }) => (blogs ?? []) as { _id: string; likes: unknown[]; totalSaves: string[] }[],
    );
    for (const card of cards.filter(({ _id }) => _id === first.id))
      expect([card.likes.length, card.totalSaves.length]).toEqual([3, 3]);
  }
  const profile = (await clients.guest.call("GET", `/users/${open.me.username}`)).body.user;
  expect(profile.likeBlogs).toHaveLength(2);
  expect(JSON.stringify(profile)).not.toContain(hides.me.id);
  const edit = { updatedCommentContent: "Lovelier." };
  const { updatedComment } = (await clients.author.call("PATCH", `/blogs/edit-comment/${comment.id}`, edit))
    .body;
  expect(updatedComment.likes).toHaveLength(3);
  expect(JSON.stringify(updatedComment)).not.toMatch(new RegExp(`${hides.me.id}|${closed.me.id}`));
});

test("names only people who show their likes in a notification, and counts all", async () => {
  const { notifications } = await author.api.social.notifications.query();
  for (const kind of ["like", "comment-like"]) {
    const entries = notifications.filter((one) => one.kind === kind && one.actorsCount > 1);
    expect(entries.length).toBeGreaterThan(0);
    for (const { actors, actorsCount } of entries)
      expect([actors.map(({ name }) => name), actorsCount]).toEqual([["Open"], 3]);
  }
  // Followers are named, since a follow is no like.
  expect(notifications.find(({ kind }) => kind === "follow")?.actorsCount).toBe(3);
  expect(notifications.find(({ kind }) => kind === "follow")?.actors).toHaveLength(3);
});

test("applies a changed visibility of likes at once", async () => {
  const showsLiker = async () => (await readBlog("guest", first)).likes.includes(open.me.id);
  await open.api.users.updateSettings.mutate({ showLikedBlogs: false });
  expect([await showsLiker(), (await readBlog("guest", first)).totalSaves.includes(open.me.id)]).toEqual([
    false,
    true,
  ]);
  await open.api.users.updateSettings.mutate({ showLikedBlogs: true });
  expect(await showsLiker()).toBe(true);
});

test("says whether a follow request was canceled or a person was unfollowed", async () => {
  const message = async (userId: string) =>
    (await clients.stranger.call("PATCH", `/follow/${userId}`, {})).body.message;
  expect(await message(closed.me.id)).toBe("Request sent.");
  expect(await message(closed.me.id)).toBe("Request canceled.");
  expect(await message(author.me.id)).toBe("You’re following them now.");
  expect(await message(author.me.id)).toBe("You no longer follow them.");
});
