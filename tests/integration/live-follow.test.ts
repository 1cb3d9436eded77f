import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { cardSource } from "../../src/server/blogs/live.ts";
import { blogTopic } from "../../src/server/live/stored-events.ts";
import { openTopicStream } from "../../src/server/live/topic-stream.ts";
import { createSource } from "../../src/server/live/source.ts";
import { limits } from "../../src/shared/limits.ts";
import type { TopicName } from "../../src/shared/live.ts";
import {
  aBlog,
  aComment,
  followTopics,
  paragraphs,
  read,
  password,
  startTown,
  until,
  type Town,
} from "../support/town.ts";

/** Ana wrote a blog; `cursor` is where a page of it stands. */
async function openPage(town: Town) {
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await town.browser().api.blogs.bySlug.query({ slug });
  const say = (text: string, blogId = id) =>
    ana.api.comments.create.mutate(aComment({ id: blogId }, { text }));
  return { ana, id, slug, cursor, say };
}

test("lists of the most liked hear how many like a blog, also where somebody leaves; a crowd that must ask is spread", async () => {
  await using town = await startTown();
  const { ana, id, cursor } = await openPage(town);
  const [eve, fay] = [await town.resident("Eve"), await town.resident("Fay")];
  const heard = followTopics(town.browser(), ["likes", `card:${id}`], cursor);
  await heard.live();
  await fay.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: false });
  await fay.api.users.remove.mutate({ password });
  await heard.heard("blog.ranked", 4);
  const told = heard.events("blog.ranked");
  expect(told.map(({ was, likesCount }) => [was, likesCount])).toEqual([
    [0, 1],
    [1, 2],
    [2, 1],
    [1, 0],
  ]);
  // Whoever comes later hears of all of it at once.
  const late = followTopics(town.browser(), ["likes"], cursor);
  await late.live();
  expect(late.events("blog.ranked")).toMatchObject([{ blogId: id, was: 0, likesCount: 0 }]);
  await ana.api.blogs.update.mutate({ id, private: true });
  await heard.heard("accessLost");
  expect(heard.events("accessLost")[0]!.jitterMs).toBeGreaterThan(0);
});

test("a page hears of all that it shows over one stream, in the order in which it happened", async () => {
  await using town = await startTown();
  const { ana, id, cursor, say } = await openPage(town);
  const eve = await town.resident("Eve");
  const other = await ana.api.blogs.create.mutate(aBlog());
  const heard = followTopics(eve, [`blog:${id}`, `card:${other.id}`, "feed", "me"], cursor);
  await heard.live();
  await say("one");
  await say("two", other.id);
  await eve.api.social.likeBlog.mutate({ blogId: other.id, liked: true });
  const third = await ana.api.blogs.create.mutate(aBlog());
  await say("three");
  await heard.heard("comment.created", 2);
  expect(heard.kinds()).toEqual([
    // She has signed in.
    "me viewer.signInChanged",
    "feed blog.published",
    "blog comment.created",
    "card blog.counted",
    "card blog.counted",
    "me viewer.like",
    "feed blog.published",
    "blog comment.created",
  ]);
  expect(heard.events("blog.published").map(({ blogId }) => blogId)).toEqual([other.id, third.id]);
  expect(heard.events("blog.counted").at(-1)).toMatchObject({
    blogId: other.id,
    likesCount: 1,
    commentsCount: 1,
  });
  const seqs = heard.frames.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((one, another) => one - another));
});

test("no topic overtakes another while many write at once, and who is cut again and again misses nothing", async () => {
  await using town = await startTown();
  const { ana, id, cursor, say } = await openPage(town);
  const [eve, bob] = [await town.resident("Eve"), await town.resident("Bob")];
  const others = await Promise.all(Array.from({ length: 4 }, () => ana.api.blogs.create.mutate(aBlog())));
  const page = town.browser(eve.cookie);
  const cards = others.map((blog) => `card:${blog.id}` as const);
  // Over the line of a page: the official client gives up where it is cut in the moment of asking.
  const heard = read(page, [`blog:${id}`, ...cards, "feed", "me"], cursor);
  let writing = true;
  const cutting = (async () => {
    while (writing) {
      page.cut();
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 40));
    }
  })();
  await Promise.all(
    [0, 1, 2, 3, 4].map(async (writer) => {
      const blog = others[writer % others.length]!;
      for (let index = 0; index < 8; index++) {
        await say(`number ${writer * 8 + index}`);
        await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: index % 2 === 0 });
        await say("there", blog.id);
        await bob.api.social.saveBlog.mutate({ blogId: blog.id, saved: index % 2 === 0 });
      }
    }),
  );
  writing = false;
  await cutting;
  const { cursor: end } = await eve.api.blogs.list.query({});
  // A signal without an event: all up to here is told.
  await until(() => {
    town.app.parts.bus.signal([`user:${eve.me.id}`]);
    return heard.frames.some(
      ({ event, seq }) => event.kind === "checkpoint" && seq >= Number(end.split(".")[1]),
    );
  });
  const texts = heard.events("comment.created").map(({ comment }) => comment.text);
  expect(texts.toSorted()).toEqual(Array.from({ length: 40 }, (_, index) => `number ${index}`).toSorted());
  const seqs = heard.frames.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((one, another) => one - another));
  expect(heard.kinds().filter((kind) => kind === "me viewer.like")).toHaveLength(
    town.rows(`select seq from live_events where topic = 'user:${eve.me.id}' and fact like '%viewer.like%'`)
      .length,
  );
  for (const blog of others) {
    const { likesCount, savesCount, commentsCount } = await eve.api.blogs.card.query({ id: blog.id });
    expect(heard.events("blog.counted").findLast(({ blogId }) => blogId === blog.id)).toMatchObject({
      likesCount,
      savesCount,
      commentsCount,
    });
  }
  heard.stop();
});

test("a guest has no stream of their own", async () => {
  await using town = await startTown();
  const heard = followTopics(town.browser(), ["me", "feed"]);
  await until(() => heard.state.error);
  expect(heard.state.error).toMatchObject({ data: { code: "UNAUTHORIZED" } });
  expect(heard.frames).toEqual([]);
});

test("who comes back hears what it lacks, from wherever it was; and is told that it has heard all", async () => {
  await using town = await startTown();
  const { ana, id, cursor, say } = await openPage(town);
  await say("one");
  await say("two");
  await ana.api.blogs.update.mutate({ id, title: "Another title" });
  // The open blog and its card are told the same events: a cut may come between the two.
  const topics: TopicName[] = [`blog:${id}`, `card:${id}`];
  const whole = followTopics(town.browser(), topics, cursor);
  await whole.live();
  const all = whole.kinds();
  expect(all).toEqual([
    "blog comment.created",
    "blog comment.created",
    "card blog.counted",
    "blog blog.edited",
    "card blog.edited",
  ]);
  for (const [index, frame] of whole.frames.slice(0, -1).entries()) {
    const rest = followTopics(town.browser(), topics, frame.id);
    await rest.live();
    const isPart = frame.id.endsWith(".0");
    expect(rest.kinds()).toEqual(all.slice(isPart ? index : index + 1));
  }
  const end = followTopics(town.browser(), topics, whole.frames.at(-1)!.id);
  await end.live();
  expect(end.kinds()).toEqual([]);
});

test("a page from another history, from before the backlog or too far behind is told to ask for all anew, and goes on", async () => {
  await using town = await startTown();
  const { id, cursor, say } = await openPage(town);
  await town.write(async (tx) => {
    for (let index = 0; index <= limits.live.replay; index++)
      await tx.emit(blogTopic(id), { kind: "blog.liked" });
  });
  const [epoch] = cursor.split(".");
  const pages = [cursor, `other.5`, `${epoch}.999999`, "nonsense"].map((since) =>
    followTopics(town.browser(), [`blog:${id}`], since),
  );
  await Promise.all(pages.map((page) => page.live()));
  await say("now");
  await Promise.all(pages.map((page) => page.heard("comment.created")));
  for (const page of pages) {
    expect(page.frames.map(({ topic, event }) => [topic, event.kind])).toEqual([
      ["", "reset"],
      ["", "checkpoint"],
      [`blog:${id}`, "comment.created"],
    ]);
    expect(page.events("reset")[0]!.jitterMs).toBeGreaterThan(0);
  }
});

test("whatever somebody does is followed by the word that it has been told, also where it changed nothing", async () => {
  await using town = await startTown();
  const { ana, id } = await openPage(town);
  const page = followTopics(ana, [`card:${id}`]);
  await page.live();
  await ana.api.blogs.update.mutate({ id, title: "Another title" });
  const { cursor } = await ana.api.blogs.bySlug
    .query({ slug: "another-title" })
    .catch(() => ana.api.blogs.list.query({}));
  await page.at(cursor);
  expect(page.kinds()).toEqual(["card blog.edited"]);
  const before = page.events("checkpoint").length;
  await ana.api.blogs.update.mutate({ id, title: "Another title" });
  await until(() => page.events("checkpoint").length > before, "the word after nothing");
});

test("an edit reaches open pages as what changed, and cards without the text; a long text is asked for", async () => {
  await using town = await startTown();
  const { ana, id } = await openPage(town);
  const [page, list] = [
    followTopics(town.browser(), [`blog:${id}`]),
    followTopics(town.browser(), [`card:${id}`]),
  ];
  await Promise.all([page.live(), list.live()]);
  await ana.api.blogs.update.mutate({
    id,
    title: "By night",
    version: 1,
    document: paragraphs("Owls call."),
  });
  await Promise.all([page.heard("blog.edited"), list.heard("blog.edited")]);
  const card = { id, title: "By night", author: { name: "Ana" }, private: false };
  expect(page.events("blog.edited")[0]).toMatchObject({
    card,
    text: { blocks: [`<p dir="auto">Owls call.</p>`] },
  });
  expect(page.events("blog.edited")[0]!.jitterMs).toBe(2 * limits.live.jitter.each);
  expect(page.events("blog.edited")[0]!.card).not.toHaveProperty("liked");
  expect(list.events("blog.edited")[0]).toMatchObject({ card, text: null });
  await ana.api.blogs.update.mutate({
    id,
    version: 2,
    document: paragraphs("long ".repeat(limits.live.message / 4)),
  });
  await page.heard("blog.edited", 2);
  expect(page.events("blog.edited")[1]!.text).toBe(null);
});

test("publishes changed names, pictures and counts of people wherever they are shown, also in notifications", async () => {
  await using town = await startTown();
  const { ana, id } = await openPage(town);
  const [eve, bob] = [await town.resident("Eve"), await town.resident("Bob")];
  await bob.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const page = followTopics(eve, ["feed", `profile:${ana.me.id}`, `profile:${bob.me.id}`]);
  const own = followTopics(ana, ["me"]);
  await Promise.all([page.live(), own.live()]);
  await bob.api.users.updateProfile.mutate({ name: "Robert" });
  await bob.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.blogs.create.mutate(aBlog());
  await bob.api.users.updateProfile.mutate({ bio: "I read." });
  await until(() => page.events("profile.changed").at(-1)?.bio === "I read.");
  await page.heard("person.changed", 2);
  expect(page.events("person.changed").at(-1)).toEqual({
    kind: "person.changed",
    person: expect.objectContaining({ id: bob.me.id, name: "Robert" }),
    bio: "I read.",
  });
  const last = (personId: string) =>
    page.events("profile.changed").findLast(({ person }) => person.id === personId);
  expect(last(ana.me.id)).toMatchObject({ counts: { followers: 1, following: 0, blogs: 2 } });
  expect(last(bob.me.id)).toMatchObject({
    person: { name: "Robert" },
    counts: { followers: 0, following: 1 },
  });
  expect(page.events("profile.listed").map(({ userId, list }) => [userId, list])).toEqual([
    [bob.me.id, "following"],
    [ana.me.id, "followers"],
    [ana.me.id, "blogs"],
  ]);
  await own.heard("notification.withdrawn");
  await bob.api.users.updateSettings.mutate({ private: true });
  await until(() => page.events("profile.changed").at(-1)?.private);
  expect(page.events("profile.changed").at(-1)).toMatchObject({ counts: null });
});

test("an account that becomes private or public names between which dates lists changed", async () => {
  await using town = await startTown();
  const { ana } = await openPage(town);
  await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const page = followTopics(town.browser(), ["feed"]);
  await page.live();
  await ana.api.users.updateSettings.mutate({ private: true });
  await page.heard("feed.changed");
  const [row] = town.rows<{ at: number }>("select published_at as at from blogs where private = 0");
  const date = new Date(row!.at).toISOString();
  expect(page.events("feed.changed")).toEqual([
    { kind: "feed.changed", oldest: date, newest: date, left: 0, jitterMs: limits.live.jitter.each },
  ]);
});

test("updates notifications of people when an account is deleted", async () => {
  await using town = await startTown();
  const { ana, id, say } = await openPage(town);
  const bob = await town.resident("Bob");
  const comment = await say("What do you think?");
  await bob.api.comments.create.mutate(aComment({ id }, { parentId: comment.id, text: "Much." }));
  const { unread } = await ana.api.social.notifications.query();
  const page = followTopics(ana, ["me"]);
  await page.live();
  await bob.api.users.remove.mutate({ password });
  await page.heard("notification.withdrawn");
  expect([unread, page.events("notification.withdrawn").at(-1)?.unread]).toEqual([1, 0]);
});

test("a line has one stream: another takes the place of the one before", async () => {
  await using town = await startTown();
  const { ana, id } = await openPage(town);
  const browser = town.browser(ana.cookie);
  const first = followTopics(browser, [`blog:${id}`]);
  await first.live();
  const second = followTopics(browser, [`card:${id}`]);
  await second.live();
  await until(() => first.state.ended || first.state.error, "the first one's end");
  const many = followTopics(
    town.browser(),
    Array.from({ length: limits.live.topics + 1 }, (_, index): TopicName => `address:number-${index}`),
  );
  await until(() => many.state.error);
  expect(many.state.error).toMatchObject({ data: { code: "BAD_REQUEST" } });
});

test("what the store has and nobody knows, and what can't be presented, is left out and logged; all else is told", async () => {
  await using town = await startTown();
  const { id, cursor, say, ana } = await openPage(town);
  const logged: unknown[] = [];
  town.app.parts.log.error = ((detail: { err: unknown }, what: string) =>
    void logged.push([what, String(detail.err)])) as typeof town.app.parts.log.error;
  await say("before");
  await town.write(async (tx) => {
    tx.drizzle.run(
      sql`insert into live_events (topic, fact, created_at) values (${`blog:${id}`}, '{"kind":"of-tomorrow"}', ${Date.now()})`,
    );
    tx.signal(blogTopic(id));
  });
  const source = createSource("blog", blogTopic(id), `blog:${id}`, async (events) => {
    if (events.some(({ event }) => event.kind === "blog.liked")) throw new Error("no likes today");
    return events.map(({ seq }) => ({ seq, event: { kind: "checkpoint" } as const }));
  });
  const errors: string[] = [];
  const frames = await source.frames(
    [
      { seq: 1, event: { kind: "blog.edited" } },
      { seq: 2, event: { kind: "blog.liked" } },
      { seq: 3, event: "nonsense" },
      { seq: 4, event: { kind: "blog.saved" } },
    ],
    0,
    (error, what) => void errors.push(what),
  );
  expect(frames.map(({ seq }) => seq)).toEqual([1, 4]);
  expect(errors).toEqual(["an unknown event", "an event could not be presented"]);
  const page = followTopics(ana, [`blog:${id}`], cursor);
  await say("after");
  await page.heard("comment.created", 2);
  expect(page.events("comment.created").map(({ comment }) => comment.text)).toEqual(["before", "after"]);
});

test("a reader who does not read and a listener that throws hold up nobody", async () => {
  await using town = await startTown();
  const { id, say } = await openPage(town);
  const { database, bus, dispatcher } = town.app.parts;
  const source = cardSource(database.read, id);
  const slow = openTopicStream({
    database,
    bus,
    dispatcher,
    topics: [{ name: `card:${id}`, source }],
    from: [],
    viewerTopic: undefined,
    accessTo: async (names) => new Map(names.map((name) => [name, { readable: true, signals: [] }])),
    isInAudience: async () => true,
    signal: undefined,
    connection: undefined,
  });
  await slow.next();
  bus.listen(blogTopic(id), () => {
    throw new Error("a listener's own fault");
  });
  const page = followTopics(town.browser(), [`card:${id}`]);
  await page.live();
  for (let index = 0; index <= limits.live.replay; index++) {
    await town.write(async (tx) => tx.emit(blogTopic(id), { kind: "blog.liked" }));
    if (index % 50 === 0) await dispatcher.dispatch();
  }
  await say("here");
  await until(() => page.events("blog.counted").some(({ commentsCount }) => commentsCount === 1));
  // More came than is kept for one: it is told to ask again.
  const { value } = await slow.next();
  expect((value as unknown as [string, { event: { kind: string } }])[1].event.kind).toMatch(
    /reset|blog.counted/,
  );
  await slow.return();
});

test("a crowd has an event presented once, and the same frame is written to all", async () => {
  await using town = await startTown();
  const { id, say } = await openPage(town);
  let presented = 0;
  const { database, bus, dispatcher } = town.app.parts;
  const frames = new Set<unknown>();
  const source = createSource("blog", blogTopic(id), `card:${id}`, async (events) => {
    presented++;
    return events.map(({ seq }) => ({ seq, event: { kind: "accessRestored" } as const }));
  });
  const crowd = Array.from({ length: 200 }, () =>
    openTopicStream({
      database,
      bus,
      dispatcher,
      topics: [{ name: `card:${id}`, source }],
      from: [],
      viewerTopic: undefined,
      accessTo: async (names) => new Map(names.map((name) => [name, { readable: true, signals: [] }])),
      isInAudience: async () => true,
      signal: undefined,
      connection: undefined,
    }),
  );
  await Promise.all(crowd.map((stream) => stream.next()));
  const next = crowd.map(async (stream) => {
    const { value } = await stream.next();
    frames.add((value as unknown as [string, unknown])[1]);
  });
  await say("once");
  await Promise.all(next);
  expect([presented, frames.size]).toEqual([1, 1]);
  await Promise.all(crowd.map((stream) => stream.return()));
  expect(town.listeners).toBe(0);
});
