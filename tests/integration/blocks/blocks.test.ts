import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopics,
  refusal,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

interface Person extends SignedInBrowser {
  rest: ApiClient;
  blog: { id: string; slug: string };
  /** Texts and ids that identify this person in a response. */
  markers: string[];
}

async function createPerson(testSite: TestSite, name: string): Promise<Person> {
  const person = await testSite.createAccount(name);
  const blog = await person.api.blogs.create.mutate(aBlog({ title: `The ${name}blog`, tags: ["night"] }));
  await person.api.users.updateSettings.mutate({ interests: ["night"], showSavedBlogs: true });
  const rest = await ApiClient.of(testSite, person);
  return Object.assign(person, {
    rest,
    blog,
    markers: [person.me.id, person.me.username, blog.id, `${name}blog`, `${name}says`],
  });
}

/** Ana and Ben interact with each other's blogs and with Cem's. */
async function startBlocksSite() {
  const testSite = await startTestSite();
  const [ana, ben, cem] = [
    await createPerson(testSite, "Anabel"),
    await createPerson(testSite, "Bendix"),
    await createPerson(testSite, "Cemre"),
  ];
  const all = [ana, ben, cem];
  const postComment = async (person: Person, author: Person, parentId: string | null = null, suffix = "") => {
    const text = `${person.me.name}says ${suffix}`.trim();
    const { id } = await person.api.comments.create.mutate(aComment(author.blog, { parentId, text }));
    person.markers.push(id);
    return id;
  };
  for (const person of all)
    for (const author of all) {
      if (person !== author) {
        await person.api.social.follow.mutate({ userId: author.me.id, follow: true });
        await person.api.social.likeBlog.mutate({ blogId: author.blog.id, liked: true });
        await person.api.social.saveBlog.mutate({ blogId: author.blog.id, saved: true });
      }
      await postComment(
        person,
        author,
        null,
        `@${all.find((one) => one !== person && one !== author)!.me.username}`
          .replace("@anabel", "")
          .replace("@bendix", ""),
      );
    }
  const cems = await postComment(cem, cem, null, "first");
  const answeredIds = {
    ana: await postComment(ana, cem, null, "answered"),
    ben: await postComment(ben, cem, null, "answered"),
  };
  for (const id of Object.values(answeredIds)) await postComment(cem, cem, id, "under it");
  // These stay as empty parents, since Cem replied.
  for (const person of [ana, ben])
    person.markers = person.markers.filter((marker) => !Object.values(answeredIds).includes(marker));
  for (const person of [ana, ben]) {
    await postComment(person, cem, cems, "to Cem");
    await person.api.comments.like.mutate({ id: cems, liked: true });
    const loneComment = await postComment(person, cem, null, "alone");
    await postComment(person, cem, loneComment, "to nobody else");
  }
  return { testSite, ana, ben, cem, cems, answeredIds, postComment };
}

const pages = (person: Person, other: Person, cem: Person) => [
  "/",
  "/?sort=likes",
  "/search?q=night",
  // Not the whole name: the search box repeats it.
  `/search?q=${other.me.username.slice(0, 4)}`,
  `/blog/${cem.blog.slug}?comments`,
  `/${cem.me.username}`,
  `/${cem.me.username}/liked-blogs`,
  `/${cem.me.username}/saved-blogs`,
  `/followers/${cem.me.username}`,
  `/following/${cem.me.username}`,
  "/notifications",
  "/requests",
  `/${person.me.username}`,
  `/${person.me.username}/liked-blogs`,
  `/blog/${person.blog.slug}?comments`,
];

/** Returns everything a person can look at, by name. */
function lookupsOf(person: Person, other: Person, cem: Person): Record<string, () => Promise<unknown>> {
  const { api, rest } = person;
  const { username } = cem.me;
  const call = (path: string) => async () => {
    const { status, body } = await rest.call("GET", path);
    expect(status, path).toBe(200);
    return body;
  };
  return {
    feed: () => api.blogs.list.query({}),
    "the second page of the feed": () => api.blogs.list.query({ page: 2 }),
    "most liked": () => api.blogs.list.query({ sort: "likes" }),
    search: () => api.blogs.search.query({ query: "night" }),
    recommended: () => api.blogs.recommended.query(),
    "people found": () => api.users.search.query({ query: other.me.username }),
    "Cem's likes": () => api.blogs.byAuthor.query({ username, tab: "liked-blogs" }),
    "Cem's saves": () => api.blogs.byAuthor.query({ username, tab: "saved-blogs" }),
    "own likes": () => api.blogs.byAuthor.query({ username: person.me.username, tab: "liked-blogs" }),
    "own saves": () => api.blogs.byAuthor.query({ username: person.me.username, tab: "saved-blogs" }),
    "Cem's followers": () => api.social.people.query({ username, list: "followers" }),
    "whom Cem follows": () => api.social.people.query({ username, list: "following" }),
    "own followers": () => api.social.people.query({ username: person.me.username, list: "followers" }),
    "own ties": () => api.social.ties.query(),
    comments: () => api.comments.list.query({ blogId: cem.blog.id }),
    "comments at home": () => api.comments.list.query({ blogId: person.blog.id }),
    notifications: () => api.social.notifications.query(),
    requests: () => api.social.requests.query(),
    "GET /blogs": call("/blogs"),
    "GET /blogs of likes": call("/blogs?sort=likes"),
    "GET /blogs/{Cem's}": call(`/blogs/${cem.blog.slug}`),
    "GET /blogs/{own}": call(`/blogs/${person.blog.slug}`),
    "GET /search-blogs": call("/search-blogs?search=night"),
    "GET /search-users": call(`/search-users?search=${other.me.username}`),
    "GET /recommended": call("/recommended"),
    "GET /users/{Cem}": call(`/users/${username}`),
    "GET /users/{self}": call(`/users/${person.me.username}`),
    "GET /blogs/user/{Cem}": call(`/blogs/user/${cem.me.id}`),
    ...Object.fromEntries(
      pages(person, other, cem).map((path) => [
        `page ${path}`,
        async () => {
          const response = await person.fetch(path);
          expect([path, response.status]).toEqual([path, 200]);
          return response.text();
        },
      ]),
    ),
  };
}

describe("when Ana has blocked Ben", () => {
  let site: Awaited<ReturnType<typeof startBlocksSite>>;
  const pair = (name: string): [Person, Person] =>
    name === "Ana" ? [site.ana, site.ben] : [site.ben, site.ana];
  const before = new Map<string, string[]>();
  /** Returns the names of what shows the other person. */
  async function lookupsWithOther(name: string): Promise<string[]> {
    const [person, other] = pair(name);
    const names: string[] = [];
    for (const [lookupName, lookup] of Object.entries(lookupsOf(person, other, site.cem))) {
      const text = JSON.stringify(await lookup());
      if (other.markers.some((marker) => text.includes(marker))) names.push(lookupName);
    }
    return names;
  }

  beforeAll(async () => {
    site = await startBlocksSite();
    for (const name of ["Ana", "Ben"]) before.set(name, await lookupsWithOther(name));
    // Cached responses of before must not be served.
    expect(await site.ana.api.social.block.mutate({ userId: site.ben.me.id, blocked: true })).toMatchObject({
      blocked: true,
    });
  });
  afterAll(() => site.testSite[Symbol.asyncDispose]());

  test.each(["Ana", "Ben"])("hides the other from %s everywhere", async (name) => {
    expect(before.get(name)!.length).toBeGreaterThan(30);
    expect(await lookupsWithOther(name)).toEqual([]);
  });

  test("shows both to a third person and a guest, with all counts unchanged", async () => {
    const { testSite, ana, ben, cem } = site;
    for (const api of [cem.api, testSite.browser().api]) {
      const { blogs } = await api.blogs.list.query({});
      expect(blogs.map(({ id }) => id)).toEqual(expect.arrayContaining([ana.blog.id, ben.blog.id]));
      const { comments } = await api.comments.list.query({ blogId: cem.blog.id });
      for (const person of [ana, ben])
        expect(comments.some(({ author }) => author?.id === person.me.id)).toBe(true);
    }
    const [anasPicture, bensPicture] = await Promise.all(
      [ana, cem].map(async ({ api }) => (await api.blogs.card.query({ id: cem.blog.id })).commentsCount),
    );
    expect(anasPicture).toBe(bensPicture);
    const guest = new ApiClient(testSite);
    const [card] = (await guest.call("GET", "/blogs?limit=50")).body.blogs.filter(
      ({ _id }: { _id: string }) => _id === cem.blog.id,
    );
    expect(card.likes.map(({ _id }: { _id: string }) => _id)).toEqual(
      expect.arrayContaining([ana.me.id, ben.me.id]),
    );
  });

  test.each(["Ana", "Ben"])("answers %s as if the other's profile and blogs did not exist", async (name) => {
    const [person, other] = pair(name);
    const { api, rest } = person;
    const missingId = newBlog();
    const calls: [unknown, unknown][] = await Promise.all(
      [
        [api.blogs.bySlug.query({ slug: other.blog.slug }), api.blogs.bySlug.query({ slug: "never" })],
        [api.blogs.card.query({ id: other.blog.id }), api.blogs.card.query({ id: missingId })],
        [api.comments.list.query({ blogId: other.blog.id }), api.comments.list.query({ blogId: missingId })],
        [api.blogs.forEdit.query({ slug: other.blog.slug }), api.blogs.forEdit.query({ slug: "never" })],
        [
          api.comments.create.mutate(aComment(other.blog)),
          api.comments.create.mutate(aComment({ id: missingId })),
        ],
        [
          api.social.likeBlog.mutate({ blogId: other.blog.id, liked: true }),
          api.social.likeBlog.mutate({ blogId: missingId, liked: true }),
        ],
        [
          api.social.saveBlog.mutate({ blogId: other.blog.id, saved: true }),
          api.social.saveBlog.mutate({ blogId: missingId, saved: true }),
        ],
        [
          api.users.profile.query({ username: other.me.username }),
          api.users.profile.query({ username: "never" }),
        ],
        [
          api.social.people.query({ username: other.me.username, list: "followers" }),
          api.social.people.query({ username: "never", list: "followers" }),
        ],
        [
          api.blogs.byAuthor.query({ username: other.me.username, tab: "blogs" }),
          api.blogs.byAuthor.query({ username: "never", tab: "blogs" }),
        ],
        [
          api.social.follow.mutate({ userId: other.me.id, follow: true }),
          api.social.follow.mutate({ userId: missingId, follow: true }),
        ],
      ].map(async ([hiddenCall, missingCall]) => [await refusal(hiddenCall!), await refusal(missingCall!)]),
    );
    for (const [hiddenResult, missingResult] of calls) expect(hiddenResult).toEqual(missingResult);
    for (const [path, missingPath] of [
      [`/blogs/${other.blog.slug}`, "/blogs/never"],
      [`/users/${other.me.username}`, "/users/never"],
      [`/blogs/user/${other.me.id}`, `/blogs/user/${missingId}`],
    ] as const) {
      const [hiddenAnswer, missingAnswer] = [
        await rest.call("GET", path),
        await rest.call("GET", missingPath),
      ];
      expect([path, hiddenAnswer.status, hiddenAnswer.body]).toEqual([path, 404, missingAnswer.body]);
    }
  });

  test.each(["Ana", "Ben"])(
    "refuses %s a reply to or a like of the other's comment at Cem's, and notifies the other of no mention",
    async (name) => {
      const [person, other] = pair(name);
      const { answeredIds, cem } = site;
      const id = name === "Ana" ? answeredIds.ben : answeredIds.ana;
      const reply = aComment(cem.blog, { parentId: id });
      await expectRefusal(person.api.comments.create.mutate(reply), "NOT_FOUND");
      await expectRefusal(person.api.comments.like.mutate({ id, liked: true }), "NOT_FOUND");
      await expectRefusal(person.api.comments.countReplies.query({ id }), "NOT_FOUND");
      // A mention is plain text.
      const unread = async () => (await other.api.social.notifications.query()).notifications.length;
      const previous = await unread();
      const text = `Is @${other.me.username} here?`;
      await person.api.comments.create.mutate(aComment(cem.blog, { text }));
      expect(await unread()).toBe(previous);
    },
  );

  test("keeps replies by others below an empty comment, and removes a hidden comment without such replies", async () => {
    const { ana, cem, answeredIds } = site;
    const { comments } = await ana.api.comments.list.query({ blogId: cem.blog.id });
    const emptyComments = comments.filter(({ deleted }) => deleted);
    expect(emptyComments.map(({ id }) => id)).toEqual([answeredIds.ben]);
    expect(emptyComments[0]).toMatchObject({
      author: null,
      text: "",
      liked: false,
      likesCount: 0,
      editedAt: null,
    });
    expect(comments.filter(({ parentId }) => parentId === answeredIds.ben)).toMatchObject([
      { author: { id: cem.me.id } },
    ]);
    const { body } = await ana.rest.call("GET", `/blogs/${cem.blog.slug}`);
    const one = body.blog.comments.find(({ _id }: { _id: string }) => _id === answeredIds.ben);
    expect(one).toMatchObject({
      comment: "",
      user: { name: "deleted", _id: "" },
      likes: [],
      repliesCount: 1,
    });
    expect(one.replies).toMatchObject([{ user: { _id: cem.me.id } }]);
    const list = await ana.api.comments.list.query({ blogId: cem.blog.id });
    expect(list.folds).toEqual({});
    expect(list.total).toBe(comments.length - emptyComments.length);
  });

  test("lists the blocked person for Ana only, and Ben can neither see nor undo the block", async () => {
    const { ana, ben } = site;
    expect((await ana.api.social.blocked.query()).people).toMatchObject([{ id: ben.me.id }]);
    expect((await ben.api.social.blocked.query()).people).toEqual([]);
    // For the blocked person the other does not exist.
    expect(await refusal(ben.api.social.block.mutate({ userId: ana.me.id, blocked: true }))).toEqual(
      await refusal(ben.api.social.block.mutate({ userId: newBlog(), blocked: true })),
    );
    await ben.api.social.block.mutate({ userId: ana.me.id, blocked: false });
    await expectRefusal(ben.api.users.profile.query({ username: ana.me.username }), "NOT_FOUND");
    await expectRefusal(ana.api.social.block.mutate({ userId: ana.me.id, blocked: true }), "BAD_REQUEST");
  });

  test("shows them to each other again after Ana unblocks Ben, but no longer as followers", async () => {
    const { ana, ben } = site;
    for (let index = 0; index < 2; index++)
      await ana.api.social.block.mutate({ userId: ben.me.id, blocked: false });
    for (const name of ["Ana", "Ben"]) {
      // Unblocking does not restore following.
      const [person, other] = pair(name);
      const ownNames = new Set(["own followers", "own ties", `page /${person.me.username}`]);
      expect(await lookupsWithOther(name)).toEqual(
        before.get(name)!.filter((lookupName) => !ownNames.has(lookupName)),
      );
      expect((await person.api.users.profile.query({ username: other.me.username })).follow).toBe("follow");
    }
    expect(site.testSite.rows("select 1 from blocks")).toEqual([]);
  });
});

const newBlog = () => aBlog().id;

test("deletes pending follow requests on a block, and refuses to restore a rejected one", async () => {
  const [, ana, ben] = await siteWith("Ana", "Ben");
  await ana.api.users.updateSettings.mutate({ private: true });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.handleRequest.mutate({ requesterId: ben.me.id, action: "reject" });
  await ben.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await expectRefusal(ana.api.social.restoreRequest.mutate({ userId: ben.me.id }), "NOT_FOUND");
  await ben.api.social.block.mutate({ userId: ana.me.id, blocked: false });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  expect((await ana.api.social.requests.query()).requests).toHaveLength(1);
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect((await ana.api.social.requests.query()).requests).toEqual([]);
  expect((await ana.api.social.notifications.query()).unread).toBe(0);
});

test("leaves out blocked people when counting unread notifications, but counts an entry that also names others", async () => {
  const [, ana, ben, cem] = await siteWith("Ana", "Ben", "Cem");
  const [one, two] = [await ana.api.blogs.create.mutate(aBlog()), await ana.api.blogs.create.mutate(aBlog())];
  for (const { id } of [one, two]) await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await cem.api.social.likeBlog.mutate({ blogId: two.id, liked: true });
  expect((await ana.api.social.notifications.query()).unread).toBe(2);
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  const { notifications, unread } = await ana.api.social.notifications.query();
  expect([notifications.length, unread]).toEqual([1, 1]);
  expect(notifications[0]).toMatchObject({ actors: [{ id: cem.me.id }], actorsCount: 1, target: two.id });
});

test("deletes the blocks of a deleted account in both directions", async () => {
  const [testSite, , ana, ben, cem] = await siteWith("Administrator", "Ana", "Ben", "Cem");
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  await cem.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await ben.api.users.remove.mutate({ password: "correct horse battery" });
  expect((await ana.api.social.blocked.query()).people).toEqual([]);
  await ana.api.users.remove.mutate({ password: "correct horse battery" });
  expect(testSite.rows("select 1 from blocks")).toEqual([]);
  expect(limits.people.most).toBe(1_000);
});

describe("on open pages", () => {
  /** Opens live streams of each person; `waitForEvents` waits for all events. */
  async function open(site: Awaited<ReturnType<typeof startBlocksSite>>) {
    const { testSite, ana, ben, cem } = site;
    const { cursor } = await cem.api.blogs.list.query({});
    const topics = (other: Person) =>
      [
        "me",
        "feed",
        "likes",
        "search",
        `blog:${cem.blog.id}`,
        `card:${other.blog.id}`,
        `profile:${other.me.id}`,
        `presence:${cem.blog.id}`,
        `presence:${other.blog.id}`,
        `address:${other.blog.slug}`,
      ] as const;
    const streams = {
      ana: followTopics(testSite.browser(ana.cookie), [...topics(ben)], cursor),
      ben: followTopics(testSite.browser(ben.cookie), [...topics(ana)], cursor),
      cem: followTopics(testSite.browser(cem.cookie), ["me", "feed", `blog:${cem.blog.id}`], cursor),
    };
    await Promise.all(Object.values(streams).map((stream) => stream.waitForStart()));
    const waitForEvents = async () => {
      const { cursor: lastCursor } = await cem.api.blogs.list.query({});
      testSite.app.services.bus.signal([ana, ben, cem].map(({ me }) => `user:${me.id}`));
      await Promise.all(Object.values(streams).map((stream) => stream.waitForCursor(lastCursor)));
    };
    return { ...streams, waitForEvents };
  }

  test("sends both a reset and lost access without naming the other, and a third person nothing", async () => {
    const site = await startBlocksSite();
    await using _testSite = site.testSite;
    const { ana, ben, cem } = site;
    const streams = await open(site);
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    await streams.waitForEvents();
    for (const [stream, other] of [
      [streams.ana, ben],
      [streams.ben, ana],
    ] as const) {
      expect(stream.kinds()).toContain("reset");
      expect(stream.kinds().filter((kind) => kind.endsWith(" accessLost"))).toHaveLength(4);
      // Lost topics have the name that the stream asked for.
      const isRequestedTopic = ({ topic }: { topic: string }) => /^(presence|address):/.test(topic);
      const frames = stream
        .eventFrames()
        .filter((frame) => frame.event.kind !== "accessLost" && !isRequestedTopic(frame));
      for (const marker of other.markers) expect(JSON.stringify(frames)).not.toContain(marker);
    }
    expect(streams.cem.kinds().filter((kind) => kind !== "presence presence")).toEqual([]);
    // A stream that resumes gets the same.
    const lateStream = followTopics(
      site.testSite.browser(ben.cookie),
      ["me"],
      `${(await cem.api.blogs.list.query({})).cursor.split(".")[0]}.0`,
    );
    await lateStream.waitForStart();
    expect(lateStream.kinds()).toContain("reset");
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: false });
    await streams.waitForEvents();
    for (const stream of [streams.ana, streams.ben]) {
      expect(stream.kinds().filter((kind) => kind === "reset")).toHaveLength(2);
      expect(stream.kinds().filter((kind) => kind.endsWith(" accessRestored")).length).toBeGreaterThanOrEqual(
        3,
      );
    }
  });

  test("sends no later event of one to the other, but to a third person, and updates the counts", async () => {
    const site = await startBlocksSite();
    await using _testSite = site.testSite;
    const { ana, ben, cem, cems, postComment } = site;
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    const streams = await open(site);
    const total = (await cem.api.comments.list.query({ blogId: cem.blog.id })).total;
    const reply = await postComment(ben, cem, cems, "behind the wall");
    await ben.api.comments.edit.mutate({ id: reply, text: "Bendixsays otherwise" });
    await cem.api.comments.like.mutate({ id: reply, liked: true });
    await ben.api.blogs.create.mutate(aBlog({ title: "Another Bendixblog" }));
    await cem.api.social.likeBlog.mutate({ blogId: ben.blog.id, liked: false });
    await ben.api.users.updateProfile.mutate({ name: "Bendix the Second" });
    await ben.api.comments.replying.mutate({ blogId: cem.blog.id });
    await cem.api.social.follow.mutate({ userId: ben.me.id, follow: false });
    await streams.waitForEvents();
    const frames = streams.ana.eventFrames().filter(({ event }) => event.kind !== "accessLost");
    for (const marker of [...ben.markers, reply]) expect(JSON.stringify(frames)).not.toContain(marker);
    expect(streams.ana.events("blog.counted").at(-1)).toMatchObject({ commentsCount: total + 1 });
    expect(streams.cem.events("comment.created").map(({ comment }) => comment.id)).toEqual([reply]);
    // The reply makes the hidden comment an empty parent: the page must refetch.
    const loneId = await postComment(ben, cem, null, "alone still");
    await streams.waitForEvents();
    const restoredCount = () => streams.ana.kinds().filter((kind) => kind === "blog accessRestored").length;
    expect(restoredCount()).toBe(0);
    await postComment(cem, cem, loneId, "to that");
    await streams.waitForEvents();
    expect(restoredCount()).toBe(1);
    const { comments } = await ana.api.comments.list.query({ blogId: cem.blog.id });
    expect(comments.find(({ id }) => id === loneId)).toMatchObject({ author: null, text: "", deleted: true });
    // A stream from the beginning sends the same.
    const replayed = followTopics(
      ana,
      ["me", "feed", "likes", `blog:${cem.blog.id}`],
      `${(await cem.api.blogs.list.query({})).cursor.split(".")[0]}.0`,
    );
    await replayed.waitForStart();
    for (const marker of [ben.me.id, ...ben.markers.filter((one) => one.startsWith("Bendix"))])
      expect(JSON.stringify(replayed.eventFrames())).not.toContain(marker);
    replayed.stop();
  });

  test("names who is writing to everyone but a blocked person", async () => {
    const site = await startBlocksSite();
    await using _testSite = site.testSite;
    const { testSite, ana, ben, cem } = site;
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    const followPresence = (person: Person) =>
      followTopics(testSite.browser(person.cookie), [`presence:${cem.blog.id}`]);
    const [anasStream, cemsStream] = [followPresence(ana), followPresence(cem)];
    await Promise.all([anasStream.waitForStart(), cemsStream.waitForStart()]);
    await ben.api.comments.replying.mutate({ blogId: cem.blog.id });
    const last = ({ events }: typeof cemsStream) => events("presence").at(-1);
    await expect.poll(() => last(cemsStream), { timeout: 5_000 }).toMatchObject({ replyingCount: 1 });
    expect(JSON.stringify(last(cemsStream))).toContain(ben.me.id);
    await cem.api.comments.replying.mutate({ blogId: cem.blog.id });
    await expect
      .poll(() => last(anasStream)?.replying.map(({ id }) => id), { timeout: 5_000 })
      .toEqual([cem.me.id]);
    expect(last(anasStream)?.replyingCount).toBe(1);
    expect(JSON.stringify(anasStream.eventFrames())).not.toContain(ben.me.id);
  });
});
