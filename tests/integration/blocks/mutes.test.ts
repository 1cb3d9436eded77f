import { expect, test } from "vitest";
import { createMuteFilter } from "../../../src/shared/mute-filter.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, followTopics, paragraphs, type SignedInBrowser } from "../../support/test-site.ts";

/* A mute changes only the lists of the person who mutes. */

/** Ana reads, Ben and Cem write. Ana's interests match all blogs. */
async function createReaders() {
  const [testSite, ana, ben, cem] = await siteWith("Ana", "Ben", "Cem");
  await ana.api.users.updateSettings.mutate({ interests: ["night"] });
  const anasBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Of Ana" }));
  const bensBlog = await ben.api.blogs.create.mutate(aBlog({ title: "Of Ben" }));
  const cemsBlog = await cem.api.blogs.create.mutate(aBlog({ title: "Of Cem" }));
  return { testSite, ana, ben, cem, anasBlog, bensBlog, cemsBlog, rest: await ApiClient.of(testSite, ana) };
}

/** Returns the lists of a person that contain a blog. */
async function listsWith(person: SignedInBrowser, client: ApiClient, id: string): Promise<string[]> {
  const hasBlog = (blogs: { id?: string; _id?: string }[]) => blogs.some((one) => (one.id ?? one._id) === id);
  const { api } = person;
  const all: Record<string, { id?: string; _id?: string }[]> = {
    feed: (await api.blogs.list.query({})).blogs,
    "most liked": (await api.blogs.list.query({ sort: "likes" })).blogs,
    search: (await api.blogs.search.query({ query: "night" })).blogs,
    "search for nothing": (await api.blogs.search.query({ query: "" })).blogs,
    recommended: (await api.blogs.recommended.query()).blogs,
    "GET /blogs": (await client.call("GET", "/blogs")).body.blogs,
    "GET /search-blogs": (await client.call("GET", "/search-blogs?search=night")).body.blogs,
    "GET /recommended": (await client.call("GET", "/recommended")).body.blogs,
  };
  return Object.keys(all).filter((name) => hasBlog(all[name]!));
}
const listCount = 8;

test("removes a muted person from all lists, keeps all else between the two, and changes nothing for others", async () => {
  const { testSite, ana, ben, cem, anasBlog, bensBlog, cemsBlog, rest } = await createReaders();
  await ben.api.social.likeBlog.mutate({ blogId: anasBlog.id, liked: true });
  await cem.api.social.likeBlog.mutate({ blogId: anasBlog.id, liked: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await ben.api.social.likeBlog.mutate({ blogId: cemsBlog.id, liked: true });
  expect(await listsWith(ana, rest, bensBlog.id)).toHaveLength(listCount);
  const before = (await ana.api.social.notifications.query()).unread;
  await ana.api.social.mute.mutate({ userId: ben.me.id, muted: true });
  expect(await listsWith(ana, rest, bensBlog.id)).toEqual([]);
  expect(await listsWith(ana, rest, cemsBlog.id)).toHaveLength(listCount);
  // Nothing is recommended because Ben likes it.
  expect((await ana.api.blogs.recommended.query()).blogs.map(({ why }) => why.kind)).not.toContain(
    "liked-by",
  );
  const notifications = await ana.api.social.notifications.query();
  expect(JSON.stringify(notifications)).not.toContain(ben.me.id);
  expect([before, notifications.unread]).toEqual([1, 1]);
  // Ben is still found, and the follow stays.
  expect((await ana.api.users.profile.query({ username: ben.me.username })).follow).toBe("following");
  expect((await ana.api.users.search.query({ query: "ben" })).people).toHaveLength(1);
  // No one else is notified or sees less.
  const bens = await ApiClient.of(testSite, ben);
  expect((await ben.api.blogs.list.query({})).blogs.map(({ id }) => id)).toContain(anasBlog.id);
  expect((await bens.call("GET", `/users/${ana.me.username}`)).status).toBe(200);
  expect((await ben.api.social.muted.query()).people).toEqual([]);
  expect((await ana.api.social.muted.query()).people).toMatchObject([{ id: ben.me.id }]);
  for (let index = 0; index < 2; index++)
    await ana.api.social.mute.mutate({ userId: ben.me.id, muted: false });
  expect(await listsWith(ana, rest, bensBlog.id)).toHaveLength(listCount);
  expect(JSON.stringify(await ana.api.social.notifications.query())).toContain(ben.me.id);
  await expectRefusal(ana.api.social.mute.mutate({ userId: ana.me.id, muted: true }), "BAD_REQUEST");
  await ben.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await expectRefusal(ana.api.social.mute.mutate({ userId: ben.me.id, muted: true }), "NOT_FOUND");
});

test("removes blogs with a muted word or tag from all lists, except the viewer's own blogs", async () => {
  const { ana, ben, anasBlog, bensBlog, cemsBlog, rest } = await createReaders();
  await ben.api.blogs.update.mutate({ id: bensBlog.id, tags: ["night", "spoilers"] });
  const owlBlog = await ben.api.blogs.create.mutate(
    aBlog({ document: paragraphs("Ówls, and the END of it.") }),
  );
  await ana.api.users.updateSettings.mutate({ mutedWords: ["  #Spoilers ", "the end", "#spoilers"] });
  expect((await ana.api.users.me.query())?.mutedWords).toEqual(["#spoilers", "the end"]);
  expect(await listsWith(ana, rest, bensBlog.id)).toEqual([]);
  expect(await listsWith(ana, rest, cemsBlog.id)).toHaveLength(listCount);
  const lists = await listsWith(ana, rest, owlBlog.id);
  // Recommendations consider only title, description and tags.
  expect(lists.filter((name) => !/recommended/.test(name))).toEqual([]);
  expect((await ana.api.blogs.bySlug.query({ slug: owlBlog.slug })).id).toBe(owlBlog.id);
  await ana.api.users.updateSettings.mutate({ mutedWords: ["of ana"] });
  const feed = (await ana.api.blogs.list.query({})).blogs.map(({ id }) => id);
  expect(feed).toContain(anasBlog.id);
  expect(await listsWith(ana, rest, bensBlog.id)).toHaveLength(listCount);
  const tooManyWords = Array.from({ length: 101 }, (_, index) => `word ${index}`);
  for (const mutedWords of [tooManyWords, ["#"], ["x".repeat(41)]])
    await expectRefusal(ana.api.users.updateSettings.mutate({ mutedWords }), "BAD_REQUEST");
});

test("creates no notifications of comments with a muted word", async () => {
  const { ana, ben, anasBlog } = await createReaders();
  await ben.api.comments.create.mutate(aComment(anasBlog, { text: "Before: the finale!" }));
  await ana.api.users.updateSettings.mutate({ mutedWords: ["finale"] });
  expect((await ana.api.social.notifications.query()).notifications).toEqual([]);
  await ana.api.social.readNotifications.mutate({});
  const comment = await ben.api.comments.create.mutate(aComment(anasBlog, { text: "What a finale." }));
  expect((await ana.api.social.notifications.query()).unread).toBe(0);
  // It stays in the list of comments; the page folds it away.
  expect((await ana.api.comments.list.query({ blogId: anasBlog.id })).comments.map(({ id }) => id)).toContain(
    comment.id,
  );
  await ben.api.comments.create.mutate(aComment(anasBlog, { text: "What finales!" }));
  expect((await ana.api.social.notifications.query()).unread).toBe(1);
});

test("marks a muted person's comments, and sends open pages a signal to refetch instead of them", async () => {
  const { testSite, ana, ben, cem, cemsBlog } = await createReaders();
  await ana.api.social.mute.mutate({ userId: ben.me.id, muted: true });
  const { cursor } = await ana.api.blogs.list.query({});
  const topics = ["me", "feed", `blog:${cemsBlog.id}`] as const;
  const stream = followTopics(testSite.browser(ana.cookie), [...topics], cursor);
  const cemsStream = followTopics(testSite.browser(cem.cookie), [...topics], cursor);
  await Promise.all([stream.waitForStart(), cemsStream.waitForStart()]);
  const comment = await ben.api.comments.create.mutate(aComment(cemsBlog, { text: "Hear, hear" }));
  await ben.api.blogs.create.mutate(aBlog({ title: "More of Ben" }));
  await cemsStream.waitFor("blog.published");
  await cem.api.comments.create.mutate(aComment(cemsBlog, { text: "And I" }));
  await stream.waitFor("comment.created");
  expect(stream.events("comment.created").map((event) => event.comment.author?.id)).toEqual([cem.me.id]);
  expect(stream.kinds()).toContain("blog accessRestored");
  expect(stream.events("blog.published")).toEqual([]);
  expect(cemsStream.events("comment.created")[0]?.comment.id).toBe(comment.id);
  const mutedFlag = async (person: SignedInBrowser) =>
    (await person.api.comments.list.query({ blogId: cemsBlog.id })).comments.find(
      ({ id }) => id === comment.id,
    )?.muted;
  expect([await mutedFlag(ana), await mutedFlag(cem), await mutedFlag(ben)]).toEqual([
    true,
    undefined,
    undefined,
  ]);
  // A mute makes the person's own open pages refetch, and sends nothing to the muted person.
  const bensStream = followTopics(testSite.browser(ben.cookie), ["me"]);
  await bensStream.waitForStart();
  await ana.api.social.mute.mutate({ userId: ben.me.id, muted: false });
  await stream.waitFor("reset");
  expect(bensStream.kinds()).toEqual([]);
});

test("matches a muted word as a word, without case and accents, and a tag as a whole", () => {
  const mutes = createMuteFilter(["cafe", "c++", "the end", "#rust", "日本", "ـ"]);
  const isMuted = (text: string) => mutes({ texts: [text] });
  for (const text of ["A Café.", "C++ again", "so, THE END", "私は日本人です"])
    expect([text, isMuted(text)]).toEqual([text, true]);
  for (const text of ["Cafeteria", "decafe", "C+ and C", "the ending", "rust"])
    expect([text, isMuted(text)]).toEqual([text, false]);
  expect(mutes({ texts: [], tags: ["Rust"] })).toBe(true);
  expect(mutes({ texts: [], tags: ["rusty"] })).toBe(false);
  expect(createMuteFilter([])({ texts: ["anything"] })).toBe(false);
});
