import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
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
  const who = await testSite.createAccount(name);
  const blog = await who.api.blogs.create.mutate(aBlog({ title: `The ${name}blog`, tags: ["night"] }));
  await who.api.users.updateSettings.mutate({ interests: ["night"], showSavedBlogs: true });
  const rest = await ApiClient.of(testSite, who);
  return Object.assign(who, {
    rest,
    blog,
    markers: [who.me.id, who.me.username, blog.id, `${name}blog`, `${name}says`],
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
  const say = async (who: Person, on: Person, parentId: string | null = null, more = "") => {
    const text = `${who.me.name}says ${more}`.trim();
    const { id } = await who.api.comments.create.mutate(aComment(on.blog, { parentId, text }));
    who.markers.push(id);
    return id;
  };
  for (const who of all)
    for (const on of all) {
      if (who !== on) {
        await who.api.social.follow.mutate({ userId: on.me.id, follow: true });
        await who.api.social.likeBlog.mutate({ blogId: on.blog.id, liked: true });
        await who.api.social.saveBlog.mutate({ blogId: on.blog.id, saved: true });
      }
      await say(
        who,
        on,
        null,
        `@${all.find((one) => one !== who && one !== on)!.me.username}`
          .replace("@anabel", "")
          .replace("@bendix", ""),
      );
    }
  const cems = await say(cem, cem, null, "first");
  const answered = { ana: await say(ana, cem, null, "answered"), ben: await say(ben, cem, null, "answered") };
  for (const id of Object.values(answered)) await say(cem, cem, id, "under it");
  // These stay as empty parents, since Cem replied.
  for (const who of [ana, ben])
    who.markers = who.markers.filter((sign) => !Object.values(answered).includes(sign));
  for (const who of [ana, ben]) {
    await say(who, cem, cems, "to Cem");
    await who.api.comments.like.mutate({ id: cems, liked: true });
    const own = await say(who, cem, null, "alone");
    await say(who, cem, own, "to nobody else");
  }
  return { testSite, ana, ben, cem, cems, answered, say };
}

const pages = (who: Person, other: Person, cem: Person) => [
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
  `/${who.me.username}`,
  `/${who.me.username}/liked-blogs`,
  `/blog/${who.blog.slug}?comments`,
];

/** Returns everything a person can look at, by name. */
function lookupsOf(who: Person, other: Person, cem: Person): Record<string, () => Promise<unknown>> {
  const { api, rest } = who;
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
    "own likes": () => api.blogs.byAuthor.query({ username: who.me.username, tab: "liked-blogs" }),
    "own saves": () => api.blogs.byAuthor.query({ username: who.me.username, tab: "saved-blogs" }),
    "Cem's followers": () => api.social.people.query({ username, list: "followers" }),
    "whom Cem follows": () => api.social.people.query({ username, list: "following" }),
    "own followers": () => api.social.people.query({ username: who.me.username, list: "followers" }),
    "own ties": () => api.social.ties.query(),
    comments: () => api.comments.list.query({ blogId: cem.blog.id }),
    "comments at home": () => api.comments.list.query({ blogId: who.blog.id }),
    notifications: () => api.social.notifications.query(),
    requests: () => api.social.requests.query(),
    "GET /blogs": call("/blogs"),
    "GET /blogs of likes": call("/blogs?sort=likes"),
    "GET /blogs/{Cem's}": call(`/blogs/${cem.blog.slug}`),
    "GET /blogs/{own}": call(`/blogs/${who.blog.slug}`),
    "GET /search-blogs": call("/search-blogs?search=night"),
    "GET /search-users": call(`/search-users?search=${other.me.username}`),
    "GET /recommended": call("/recommended"),
    "GET /users/{Cem}": call(`/users/${username}`),
    "GET /users/{self}": call(`/users/${who.me.username}`),
    "GET /blogs/user/{Cem}": call(`/blogs/user/${cem.me.id}`),
    ...Object.fromEntries(
      pages(who, other, cem).map((path) => [
        `page ${path}`,
        async () => {
          const response = await who.fetch(path);
          expect([path, response.status]).toEqual([path, 200]);
          return response.text();
        },
      ]),
    ),
  };
}

describe("when Ana has blocked Ben", () => {
  let place: Awaited<ReturnType<typeof startBlocksSite>>;
  const pair = (name: string): [Person, Person] =>
    name === "Ana" ? [place.ana, place.ben] : [place.ben, place.ana];
  const before = new Map<string, string[]>();
  /** Returns the names of what shows the other person. */
  async function found(name: string): Promise<string[]> {
    const [who, other] = pair(name);
    const seen: string[] = [];
    for (const [where, look] of Object.entries(lookupsOf(who, other, place.cem))) {
      const text = JSON.stringify(await look());
      if (other.markers.some((sign) => text.includes(sign))) seen.push(where);
    }
    return seen;
  }

  beforeAll(async () => {
    place = await startBlocksSite();
    for (const name of ["Ana", "Ben"]) before.set(name, await found(name));
    // Cached responses of before must not be served.
    expect(await place.ana.api.social.block.mutate({ userId: place.ben.me.id, blocked: true })).toMatchObject(
      {
        blocked: true,
      },
    );
  });
  afterAll(() => place.testSite[Symbol.asyncDispose]());

  test.each(["Ana", "Ben"])("hides the other from %s everywhere", async (name) => {
    expect(before.get(name)!.length).toBeGreaterThan(30);
    expect(await found(name)).toEqual([]);
  });

  test("shows both to a third person and a guest, with all counts unchanged", async () => {
    const { testSite, ana, ben, cem } = place;
    for (const api of [cem.api, testSite.browser().api]) {
      const { blogs } = await api.blogs.list.query({});
      expect(blogs.map(({ id }) => id)).toEqual(expect.arrayContaining([ana.blog.id, ben.blog.id]));
      const { comments } = await api.comments.list.query({ blogId: cem.blog.id });
      for (const who of [ana, ben])
        expect(comments.some(({ author }) => author?.id === who.me.id)).toBe(true);
    }
    const [hers, theirs] = await Promise.all(
      [ana, cem].map(async ({ api }) => (await api.blogs.card.query({ id: cem.blog.id })).commentsCount),
    );
    expect(hers).toBe(theirs);
    const guest = new ApiClient(testSite);
    const [card] = (await guest.call("GET", "/blogs?limit=50")).body.blogs.filter(
      ({ _id }: { _id: string }) => _id === cem.blog.id,
    );
    expect(card.likes.map(({ _id }: { _id: string }) => _id)).toEqual(
      expect.arrayContaining([ana.me.id, ben.me.id]),
    );
  });

  test.each(["Ana", "Ben"])("answers %s as if the other's profile and blogs did not exist", async (name) => {
    const [who, other] = pair(name);
    const { api, rest } = who;
    const never = newBlog();
    const calls: [unknown, unknown][] = await Promise.all(
      [
        [api.blogs.bySlug.query({ slug: other.blog.slug }), api.blogs.bySlug.query({ slug: "never" })],
        [api.blogs.card.query({ id: other.blog.id }), api.blogs.card.query({ id: never })],
        [api.comments.list.query({ blogId: other.blog.id }), api.comments.list.query({ blogId: never })],
        [api.blogs.forEdit.query({ slug: other.blog.slug }), api.blogs.forEdit.query({ slug: "never" })],
        [
          api.comments.create.mutate(aComment(other.blog)),
          api.comments.create.mutate(aComment({ id: never })),
        ],
        [
          api.social.likeBlog.mutate({ blogId: other.blog.id, liked: true }),
          api.social.likeBlog.mutate({ blogId: never, liked: true }),
        ],
        [
          api.social.saveBlog.mutate({ blogId: other.blog.id, saved: true }),
          api.social.saveBlog.mutate({ blogId: never, saved: true }),
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
          api.social.follow.mutate({ userId: never, follow: true }),
        ],
      ].map(async ([one, another]) => [await refusal(one!), await refusal(another!)]),
    );
    for (const [there, nowhere] of calls) expect(there).toEqual(nowhere);
    for (const [path, gone] of [
      [`/blogs/${other.blog.slug}`, "/blogs/never"],
      [`/users/${other.me.username}`, "/users/never"],
      [`/blogs/user/${other.me.id}`, `/blogs/user/${never}`],
    ] as const) {
      const [there, nowhere] = [await rest.call("GET", path), await rest.call("GET", gone)];
      expect([path, there.status, there.body]).toEqual([path, 404, nowhere.body]);
    }
  });

  test.each(["Ana", "Ben"])(
    "refuses %s a reply to or a like of the other's comment at Cem's, and notifies the other of no mention",
    async (name) => {
      const [who, other] = pair(name);
      const { answered, cem } = place;
      const id = name === "Ana" ? answered.ben : answered.ana;
      const reply = aComment(cem.blog, { parentId: id });
      expect((await refusal(who.api.comments.create.mutate(reply))).code).toBe("NOT_FOUND");
      expect((await refusal(who.api.comments.like.mutate({ id, liked: true }))).code).toBe("NOT_FOUND");
      expect((await refusal(who.api.comments.countReplies.query({ id }))).code).toBe("NOT_FOUND");
      // A mention is plain text.
      const unread = async () => (await other.api.social.notifications.query()).notifications.length;
      const known = await unread();
      const text = `Is @${other.me.username} here?`;
      await who.api.comments.create.mutate(aComment(cem.blog, { text }));
      expect(await unread()).toBe(known);
    },
  );

  test("keeps replies by others below an empty comment, and removes a hidden comment without such replies", async () => {
    const { ana, cem, answered } = place;
    const { comments } = await ana.api.comments.list.query({ blogId: cem.blog.id });
    const emptied = comments.filter(({ deleted }) => deleted);
    expect(emptied.map(({ id }) => id)).toEqual([answered.ben]);
    expect(emptied[0]).toMatchObject({ author: null, text: "", liked: false, likesCount: 0, editedAt: null });
    expect(comments.filter(({ parentId }) => parentId === answered.ben)).toMatchObject([
      { author: { id: cem.me.id } },
    ]);
    const { body } = await ana.rest.call("GET", `/blogs/${cem.blog.slug}`);
    const one = body.blog.comments.find(({ _id }: { _id: string }) => _id === answered.ben);
    expect(one).toMatchObject({
      comment: "",
      user: { name: "deleted", _id: "" },
      likes: [],
      repliesCount: 1,
    });
    expect(one.replies).toMatchObject([{ user: { _id: cem.me.id } }]);
    const list = await ana.api.comments.list.query({ blogId: cem.blog.id });
    expect(list.folds).toEqual({});
  });

  test("lists the blocked person for Ana only, and Ben can neither see nor undo the block", async () => {
    const { ana, ben } = place;
    expect((await ana.api.social.blocked.query()).people).toMatchObject([{ id: ben.me.id }]);
    expect((await ben.api.social.blocked.query()).people).toEqual([]);
    // For the blocked person the other does not exist.
    expect(await refusal(ben.api.social.block.mutate({ userId: ana.me.id, blocked: true }))).toEqual(
      await refusal(ben.api.social.block.mutate({ userId: newBlog(), blocked: true })),
    );
    await ben.api.social.block.mutate({ userId: ana.me.id, blocked: false });
    expect((await refusal(ben.api.users.profile.query({ username: ana.me.username }))).code).toBe(
      "NOT_FOUND",
    );
    expect((await refusal(ana.api.social.block.mutate({ userId: ana.me.id, blocked: true }))).code).toBe(
      "BAD_REQUEST",
    );
  });

  test("shows them to each other again after Ana unblocks Ben, but no longer as followers", async () => {
    const { ana, ben } = place;
    for (let twice = 0; twice < 2; twice++)
      await ana.api.social.block.mutate({ userId: ben.me.id, blocked: false });
    for (const name of ["Ana", "Ben"]) {
      // Unblocking does not restore following.
      const [who, other] = pair(name);
      const without = new Set(["own followers", "own ties", `page /${who.me.username}`]);
      expect(await found(name)).toEqual(before.get(name)!.filter((where) => !without.has(where)));
      expect((await who.api.users.profile.query({ username: other.me.username })).follow).toBe("follow");
    }
    expect(place.testSite.rows("select 1 from walls")).toEqual([]);
  });
});

const newBlog = () => aBlog().id;

test("deletes pending follow requests on a block, and refuses to restore a rejected one", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  await ana.api.users.updateSettings.mutate({ private: true });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.handleRequest.mutate({ requesterId: ben.me.id, action: "reject" });
  await ben.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  expect((await refusal(ana.api.social.restoreRequest.mutate({ userId: ben.me.id }))).code).toBe("NOT_FOUND");
  await ben.api.social.block.mutate({ userId: ana.me.id, blocked: false });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  expect((await ana.api.social.requests.query()).requests).toHaveLength(1);
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect((await ana.api.social.requests.query()).requests).toEqual([]);
  expect((await ana.api.social.notifications.query()).unread).toBe(0);
});

test("leaves out blocked people when counting unread notifications, but counts an entry that also names others", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, cem] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Ben"),
    await testSite.createAccount("Cem"),
  ];
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
  await using testSite = await startTestSite();
  const [ana, ben, cem] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Ben"),
    await testSite.createAccount("Cem"),
  ];
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  await cem.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await ben.api.users.remove.mutate({ password: "correct horse battery" });
  expect((await ana.api.social.blocked.query()).people).toEqual([]);
  await ana.api.users.remove.mutate({ password: "correct horse battery" });
  expect(testSite.rows("select 1 from walls")).toEqual([]);
  expect(limits.people.most).toBe(1_000);
});

describe("on open pages", () => {
  /** Opens live streams of each person; `settled` waits for all events. */
  async function open(place: Awaited<ReturnType<typeof startBlocksSite>>) {
    const { testSite, ana, ben, cem } = place;
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
    await Promise.all(Object.values(streams).map((stream) => stream.live()));
    const settled = async () => {
      const { cursor: end } = await cem.api.blogs.list.query({});
      testSite.app.services.bus.signal([ana, ben, cem].map(({ me }) => `user:${me.id}`));
      await Promise.all(Object.values(streams).map((stream) => stream.at(end)));
    };
    return { ...streams, settled };
  }

  test("sends both a reset and lost access without naming the other, and a third person nothing", async () => {
    const place = await startBlocksSite();
    await using _testSite = place.testSite;
    const { ana, ben, cem } = place;
    const heard = await open(place);
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    await heard.settled();
    for (const [stream, other] of [
      [heard.ana, ben],
      [heard.ben, ana],
    ] as const) {
      expect(stream.kinds()).toContain("reset");
      expect(stream.kinds().filter((kind) => kind.endsWith(" accessLost"))).toHaveLength(4);
      // Lost topics have the name that the stream asked for.
      const isAsked = ({ topic }: { topic: string }) => /^(presence|address):/.test(topic);
      const about = stream.told().filter((told) => told.event.kind !== "accessLost" && !isAsked(told));
      for (const sign of other.markers) expect(JSON.stringify(about)).not.toContain(sign);
    }
    expect(heard.cem.kinds().filter((kind) => kind !== "presence presence")).toEqual([]);
    // A stream that resumes gets the same.
    const late = followTopics(
      place.testSite.browser(ben.cookie),
      ["me"],
      `${(await cem.api.blogs.list.query({})).cursor.split(".")[0]}.0`,
    );
    await late.live();
    expect(late.kinds()).toContain("reset");
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: false });
    await heard.settled();
    for (const stream of [heard.ana, heard.ben]) {
      expect(stream.kinds().filter((kind) => kind === "reset")).toHaveLength(2);
      expect(stream.kinds().filter((kind) => kind.endsWith(" accessRestored")).length).toBeGreaterThanOrEqual(
        3,
      );
    }
  });

  test("sends no later event of one to the other, but to a third person, and updates the counts", async () => {
    const place = await startBlocksSite();
    await using _testSite = place.testSite;
    const { ana, ben, cem, cems, say } = place;
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    const heard = await open(place);
    const total = (await cem.api.comments.list.query({ blogId: cem.blog.id })).total;
    const reply = await say(ben, cem, cems, "behind the wall");
    await ben.api.comments.edit.mutate({ id: reply, text: "Bendixsays otherwise" });
    await cem.api.comments.like.mutate({ id: reply, liked: true });
    await ben.api.blogs.create.mutate(aBlog({ title: "Another Bendixblog" }));
    await cem.api.social.likeBlog.mutate({ blogId: ben.blog.id, liked: false });
    await ben.api.users.updateProfile.mutate({ name: "Bendix the Second" });
    await ben.api.comments.replying.mutate({ blogId: cem.blog.id });
    await cem.api.social.follow.mutate({ userId: ben.me.id, follow: false });
    await heard.settled();
    const told = heard.ana.told().filter(({ event }) => event.kind !== "accessLost");
    for (const sign of [...ben.markers, reply]) expect(JSON.stringify(told)).not.toContain(sign);
    expect(heard.ana.events("blog.counted").at(-1)).toMatchObject({ commentsCount: total + 1 });
    expect(heard.cem.events("comment.created").map(({ comment }) => comment.id)).toEqual([reply]);
    // The reply makes the hidden comment an empty parent: the page must refetch.
    const lone = await say(ben, cem, null, "alone still");
    await heard.settled();
    const backs = () => heard.ana.kinds().filter((kind) => kind === "blog accessRestored").length;
    expect(backs()).toBe(0);
    await say(cem, cem, lone, "to that");
    await heard.settled();
    expect(backs()).toBe(1);
    const { comments } = await ana.api.comments.list.query({ blogId: cem.blog.id });
    expect(comments.find(({ id }) => id === lone)).toMatchObject({ author: null, text: "", deleted: true });
    // Polling gives the same.
    const { messages: pieces } = await ana.api.live.since.query({
      topics: ["me", "feed", "likes", `blog:${cem.blog.id}`],
      since: `${(await cem.api.blogs.list.query({})).cursor.split(".")[0]}.0`,
    });
    for (const sign of [ben.me.id, ...ben.markers.filter((one) => one.startsWith("Bendix"))])
      expect(JSON.stringify(pieces)).not.toContain(sign);
  });

  test("names who is writing to everyone but a blocked person", async () => {
    const place = await startBlocksSite();
    await using _testSite = place.testSite;
    const { testSite, ana, ben, cem } = place;
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    const at = (who: Person) => followTopics(testSite.browser(who.cookie), [`presence:${cem.blog.id}`]);
    const [hers, his] = [at(ana), at(cem)];
    await Promise.all([hers.live(), his.live()]);
    await ben.api.comments.replying.mutate({ blogId: cem.blog.id });
    const last = ({ events }: typeof his) => events("presence").at(-1);
    await expect.poll(() => last(his), { timeout: 5_000 }).toMatchObject({ replyingCount: 1 });
    expect(JSON.stringify(last(his))).toContain(ben.me.id);
    await cem.api.comments.replying.mutate({ blogId: cem.blog.id });
    await expect
      .poll(() => last(hers)?.replying.map(({ id }) => id), { timeout: 5_000 })
      .toEqual([cem.me.id]);
    expect(last(hers)?.replyingCount).toBe(1);
    expect(JSON.stringify(hers.told())).not.toContain(ben.me.id);
  });
});
