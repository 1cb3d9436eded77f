import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../src/shared/limits.ts";
import { ApiClient } from "../support/api-client.ts";
import {
  aBlog,
  aComment,
  followTopics,
  refusal,
  startTown,
  type Resident,
  type Town,
} from "../support/town.ts";

/* A block: neither is there for the other, wherever anybody looks, and nobody is told. */

interface Neighbour extends Resident {
  rest: ApiClient;
  blog: { id: string; slug: string };
  /** By what each says and is called nobody else is known. */
  signs: string[];
}

async function neighbour(town: Town, name: string): Promise<Neighbour> {
  const who = await town.resident(name);
  const blog = await who.api.blogs.create.mutate(aBlog({ title: `The ${name}blog`, tags: ["night"] }));
  await who.api.users.updateSettings.mutate({ interests: ["night"], showSavedBlogs: true });
  const rest = await ApiClient.of(town, who);
  return Object.assign(who, {
    rest,
    blog,
    signs: [who.me.id, who.me.username, blog.id, `${name}blog`, `${name}says`],
  });
}

/** Ana and Ben, who have to do with each other in every way, at home and at Cem's. */
async function village() {
  const town = await startTown();
  const [ana, ben, cem] = [
    await neighbour(town, "Anabel"),
    await neighbour(town, "Bendix"),
    await neighbour(town, "Cemre"),
  ];
  const all = [ana, ben, cem];
  const say = async (who: Neighbour, on: Neighbour, parentId: string | null = null, more = "") => {
    const text = `${who.me.name}says ${more}`.trim();
    const { id } = await who.api.comments.create.mutate(aComment(on.blog, { parentId, text }));
    who.signs.push(id);
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
  // Their places stay, so that what Cem says there has one.
  for (const who of [ana, ben])
    who.signs = who.signs.filter((sign) => !Object.values(answered).includes(sign));
  for (const who of [ana, ben]) {
    await say(who, cem, cems, "to Cem");
    await who.api.comments.like.mutate({ id: cems, liked: true });
    const own = await say(who, cem, null, "alone");
    await say(who, cem, own, "to nobody else");
  }
  return { town, ana, ben, cem, cems, answered, say };
}

const pages = (who: Neighbour, other: Neighbour, cem: Neighbour) => [
  "/",
  "/?sort=likes",
  "/search?q=night",
  // Not the whole name, which stands in the box.
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

/** Everything that somebody finds where they look, by where. */
function looks(who: Neighbour, other: Neighbour, cem: Neighbour): Record<string, () => Promise<unknown>> {
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

describe("where Ana has blocked Ben", () => {
  let place: Awaited<ReturnType<typeof village>>;
  const pair = (name: string): [Neighbour, Neighbour] =>
    name === "Ana" ? [place.ana, place.ben] : [place.ben, place.ana];
  const before = new Map<string, string[]>();
  /** Where the other's signs stand, by what was looked at. */
  async function found(name: string): Promise<string[]> {
    const [who, other] = pair(name);
    const seen: string[] = [];
    for (const [where, look] of Object.entries(looks(who, other, place.cem))) {
      const text = JSON.stringify(await look());
      if (other.signs.some((sign) => text.includes(sign))) seen.push(where);
    }
    return seen;
  }

  beforeAll(async () => {
    place = await village();
    for (const name of ["Ana", "Ben"]) before.set(name, await found(name));
    // What guests and members were answered is kept where it is; nothing of it may come back.
    expect(await place.ana.api.social.block.mutate({ userId: place.ben.me.id, blocked: true })).toMatchObject(
      {
        blocked: true,
      },
    );
  });
  afterAll(() => place.town[Symbol.asyncDispose]());

  test.each(["Ana", "Ben"])("%s finds the other nowhere, who stood everywhere before", async (name) => {
    expect(before.get(name)!.length).toBeGreaterThan(30);
    expect(await found(name)).toEqual([]);
  });

  test("a third person and a guest find both, and every number is as it was", async () => {
    const { town, ana, ben, cem } = place;
    for (const api of [cem.api, town.browser().api]) {
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
    const guest = new ApiClient(town);
    const [card] = (await guest.call("GET", "/blogs?limit=50")).body.blogs.filter(
      ({ _id }: { _id: string }) => _id === cem.blog.id,
    );
    expect(card.likes.map(({ _id }: { _id: string }) => _id)).toEqual(
      expect.arrayContaining([ana.me.id, ben.me.id]),
    );
  });

  test.each(["Ana", "Ben"])("for %s what is the other's looks as if it had never been", async (name) => {
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

  test.each(["Ana", "Ben"])("%s neither answers nor likes what the other said at Cem's", async (name) => {
    const [who, other] = pair(name);
    const { answered, cem } = place;
    const id = name === "Ana" ? answered.ben : answered.ana;
    const reply = aComment(cem.blog, { parentId: id });
    expect((await refusal(who.api.comments.create.mutate(reply))).code).toBe("NOT_FOUND");
    expect((await refusal(who.api.comments.like.mutate({ id, liked: true }))).code).toBe("NOT_FOUND");
    expect((await refusal(who.api.comments.countReplies.query({ id }))).code).toBe("NOT_FOUND");
    // A mention is words, and nobody is told.
    const unread = async () => (await other.api.social.notifications.query()).notifications.length;
    const known = await unread();
    const text = `Is @${other.me.username} here?`;
    await who.api.comments.create.mutate(aComment(cem.blog, { text }));
    expect(await unread()).toBe(known);
  });

  test("what Cem answered stands where it stood, under a comment without name and text; what nobody else answered is gone", async () => {
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
    // No thread says that there is more where nothing is.
    const list = await ana.api.comments.list.query({ blogId: cem.blog.id });
    expect(list.folds).toEqual({});
  });

  test("what one of them says of oneself is told to nobody but Ana: whom she has blocked", async () => {
    const { ana, ben } = place;
    expect((await ana.api.social.blocked.query()).people).toMatchObject([{ id: ben.me.id }]);
    expect((await ben.api.social.blocked.query()).people).toEqual([]);
    // Whoever was blocked is answered as if there was nobody to block.
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

  test("once Ana has unblocked Ben they find each other where they did, and follow each other no more", async () => {
    const { ana, ben } = place;
    for (let twice = 0; twice < 2; twice++)
      await ana.api.social.block.mutate({ userId: ben.me.id, blocked: false });
    for (const name of ["Ana", "Ben"]) {
      // What there was of following is over, and its notifications with it.
      const [who, other] = pair(name);
      const without = new Set(["own followers", "own ties", `page /${who.me.username}`]);
      expect(await found(name)).toEqual(before.get(name)!.filter((where) => !without.has(where)));
      expect((await who.api.users.profile.query({ username: other.me.username })).follow).toBe("follow");
    }
    expect(place.town.rows("select 1 from walls")).toEqual([]);
  });
});

const newBlog = () => aBlog().id;

test("a request that waits goes with a block, one that was rejected can't be put back, and none can be made", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
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
  await using town = await startTown();
  const [ana, ben, cem] = [
    await town.resident("Ana"),
    await town.resident("Ben"),
    await town.resident("Cem"),
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

test("a block goes with either account, and of those who were blocked there is an end", async () => {
  await using town = await startTown();
  const [ana, ben, cem] = [
    await town.resident("Ana"),
    await town.resident("Ben"),
    await town.resident("Cem"),
  ];
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  await cem.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await ben.api.users.remove.mutate({ password: "correct horse battery" });
  expect((await ana.api.social.blocked.query()).people).toEqual([]);
  await ana.api.users.remove.mutate({ password: "correct horse battery" });
  expect(town.rows("select 1 from walls")).toEqual([]);
  expect(limits.people.most).toBe(1_000);
});

describe("on open pages", () => {
  /** Streams of what each has open, and how to wait until all is told. */
  async function open(place: Awaited<ReturnType<typeof village>>) {
    const { town, ana, ben, cem } = place;
    const { cursor } = await cem.api.blogs.list.query({});
    const topics = (other: Neighbour) =>
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
      ana: followTopics(town.browser(ana.cookie), [...topics(ben)], cursor),
      ben: followTopics(town.browser(ben.cookie), [...topics(ana)], cursor),
      cem: followTopics(town.browser(cem.cookie), ["me", "feed", `blog:${cem.blog.id}`], cursor),
    };
    await Promise.all(Object.values(streams).map((stream) => stream.live()));
    const settled = async () => {
      const { cursor: end } = await cem.api.blogs.list.query({});
      town.app.parts.bus.signal([ana, ben, cem].map(({ me }) => `user:${me.id}`));
      await Promise.all(Object.values(streams).map((stream) => stream.at(end)));
    };
    return { ...streams, settled };
  }

  test("a block is told to both as what may not be read and as a break of the line, and names nobody; others hear nothing", async () => {
    const place = await village();
    await using _town = place.town;
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
      // Of what it followed of the other it is told that it is gone, by the name that it asked by.
      const isAsked = ({ topic }: { topic: string }) => /^(presence|address):/.test(topic);
      const about = stream.told().filter((told) => told.event.kind !== "accessLost" && !isAsked(told));
      for (const sign of other.signs) expect(JSON.stringify(about)).not.toContain(sign);
    }
    expect(heard.cem.kinds().filter((kind) => kind !== "presence presence")).toEqual([]);
    // A stream that comes back from before it is told the same.
    const late = followTopics(
      place.town.browser(ben.cookie),
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

  test("nothing that either does afterwards reaches the other, and all of it a third person; the numbers are told", async () => {
    const place = await village();
    await using _town = place.town;
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
    for (const sign of [...ben.signs, reply]) expect(JSON.stringify(told)).not.toContain(sign);
    expect(heard.ana.events("blog.counted").at(-1)).toMatchObject({ commentsCount: total + 1 });
    expect(heard.cem.events("comment.created").map(({ comment }) => comment.id)).toEqual([reply]);
    // What is answered by somebody else comes to stand there, empty: that page asks for the list.
    const lone = await say(ben, cem, null, "alone still");
    await heard.settled();
    const backs = () => heard.ana.kinds().filter((kind) => kind === "blog accessRestored").length;
    expect(backs()).toBe(0);
    await say(cem, cem, lone, "to that");
    await heard.settled();
    expect(backs()).toBe(1);
    const { comments } = await ana.api.comments.list.query({ blogId: cem.blog.id });
    expect(comments.find(({ id }) => id === lone)).toMatchObject({ author: null, text: "", deleted: true });
    // And by pieces it is the same.
    const { messages: pieces } = await ana.api.live.since.query({
      topics: ["me", "feed", "likes", `blog:${cem.blog.id}`],
      since: `${(await cem.api.blogs.list.query({})).cursor.split(".")[0]}.0`,
    });
    for (const sign of [ben.me.id, ...ben.signs.filter((one) => one.startsWith("Bendix"))])
      expect(JSON.stringify(pieces)).not.toContain(sign);
  });

  test("who is writing is named to everybody but whoever is blocked", async () => {
    const place = await village();
    await using _town = place.town;
    const { town, ana, ben, cem } = place;
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    const at = (who: Neighbour) => followTopics(town.browser(who.cookie), [`presence:${cem.blog.id}`]);
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
