import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listBlogs, listByAuthor, listByTag, myBlogs, myStats } from "../../src/server/blogs/reading.ts";
import { actingAs } from "../../src/server/commands/parts.ts";
import { examine } from "../../src/server/database/examine.ts";
import { migrateDatabase } from "../../src/server/database/migrate.ts";
import { pruneEventLog } from "../../src/server/live/event-log.ts";
import { listNotifications } from "../../src/server/notifications/service.ts";
import { projectRoot } from "../../src/server/project-root.ts";
import { listPeople } from "../../src/server/social/people.ts";
import { limits } from "../../src/shared/limits.ts";
import { ApiClient } from "../support/api-client.ts";
import { blogs, fill, people } from "../support/crowd.ts";
import { growStore, type Grown, type Size } from "../support/scale.ts";
import { aBlog, aComment, startTown, until, type Town } from "../support/town.ts";

/* Lists cost what a page of them costs, however much there is. */

interface Place {
  town: Town;
  grown: Grown;
}

async function grownTown(size: Size): Promise<Place> {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-grown-"));
  const grown = await growStore(folder, size);
  return { grown, town: await startTown({ DATA_DIR: folder }) };
}

/** Milliseconds of this thread's own time that something takes: of several tens of times, since its clock may tick by ten. */
async function workOf(work: () => Promise<unknown>): Promise<number> {
  const times = 40;
  for (let time = 0; time < 5; time++) await work();
  const start = process.threadCpuUsage();
  for (let time = 0; time < times; time++) await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000 / times;
}

const wrong = async (town: Town) => {
  const { integrity, brokenReferences, recounted } = await examine(town.app.parts.database);
  return { integrity, brokenReferences, wrong: Object.entries(recounted).filter(([, rows]) => rows > 0) };
};
/** Rows of tags that say something else than the blogs, or that are missing. */
const wrongTags = (town: Town) => {
  const is = "number, tag, author_id, open, likes_count, published_at";
  const ought = `select distinct b.number, t.value as tag, b.author_id, b.open, b.likes_count, b.published_at
    from blogs b, json_each(b.tags) t where b.draft = 0`;
  return [
    ...town.rows(`select ${is} from blog_tags except ${ought}`),
    ...town.rows(`${ought} except select ${is} from blog_tags`),
  ];
};
const right = { integrity: ["ok"], brokenReferences: 0, wrong: [] };

describe("of a site twenty times as large", () => {
  let small: Place;
  let large: Place;
  beforeAll(async () => {
    [small, large] = [await grownTown("1k"), await grownTown("20k")];
  });
  afterAll(async () => {
    await small.town[Symbol.asyncDispose]();
    await large.town[Symbol.asyncDispose]();
  });

  test("what is counted is right", async () => {
    expect(await wrong(small.town)).toEqual(right);
    expect(wrongTags(small.town)).toEqual([]);
    expect(small.town.rows("select 1 from blog_tags limit 1")).toHaveLength(1);
  });

  const asking = ({ town, grown: { author, reader } }: Place) => {
    const [author_, reader_] = [actingAs(town.app.parts, author), actingAs(town.app.parts, reader)];
    const guest = { ...reader_, viewer: null };
    return { author: author_, reader: reader_, guest, names: { author, reader } };
  };
  /** The tag that most blogs have, of each site. */
  const tags = new Map<Place, string>();
  beforeAll(() => {
    for (const place of [small, large]) {
      const [first] = place.town.rows<{ tag: string }>(
        "select tag from blog_tags group by tag order by count(*) desc limit 1",
      );
      tags.set(place, first?.tag ?? "");
    }
  });
  const tagOf = (place: Place) => tags.get(place) ?? "";
  const lists: [string, (place: Place) => Promise<unknown>][] = [
    ["the feed, for a guest", (place) => listBlogs(asking(place).guest, { page: 1, sort: "latest" })],
    ["the feed, for a member", (place) => listBlogs(asking(place).reader, { page: 1, sort: "latest" })],
    ["the most liked", (place) => listBlogs(asking(place).reader, { page: 1, sort: "likes" })],
    [
      "what has a tag",
      (place) => listByTag(asking(place).reader, { tag: tagOf(place), page: 1, sort: "latest" }),
    ],
    [
      "the most liked of a tag",
      (place) => listByTag(asking(place).guest, { tag: tagOf(place), page: 3, sort: "likes" }),
    ],
    [
      "the last page of the feed",
      (place) =>
        listBlogs(asking(place).guest, { page: Math.floor(place.grown.blogs / 4.3), sort: "latest" }),
    ],
    ["one's own blogs", (place) => myBlogs(asking(place).author, { page: 1 })],
    [
      "the last of one's own blogs",
      (place) => myBlogs(asking(place).author, { page: Math.floor(place.grown.author.blogs / 6) }),
    ],
    ["the sums of them", (place) => myStats(asking(place).author)],
    [
      "the blogs of a profile",
      (place) =>
        listByAuthor(asking(place).reader, { username: place.grown.author.username, tab: "blogs", page: 1 }),
    ],
    [
      "its drafts",
      (place) =>
        listByAuthor(asking(place).author, {
          username: place.grown.author.username,
          tab: "draft-blogs",
          page: 1,
        }),
    ],
    [
      "followers",
      (place) =>
        listPeople(asking(place).guest, {
          username: place.grown.reader.username,
          list: "following",
          page: 3,
        }),
    ],
    ["notifications", (place) => listNotifications(asking(place).author)],
    ["what is old in the outbox", (place) => pruneEventLog(place.town.app.parts.database, Date.now())],
  ];
  test.each(lists)("%s costs as much as of the small one", { tags: ["more"] }, async (_name, list) => {
    const [there, here] = [await workOf(() => list(small)), await workOf(() => list(large))];
    // Twenty times as many rows are far more than this.
    expect(here).toBeLessThan(4 * there + 1);
  });

  test("unread notifications are counted to a hundred", async () => {
    const { unread } = await listNotifications(asking(large).author);
    expect(unread).toBe(limits.notifications.counted);
    expect(large.grown.author.notifications).toBeGreaterThan(10_000);
  });

  test("no list is turned to more than its forty thousandth entry, and none says that it goes on there", async () => {
    const { guest } = asking(large);
    const last = await listBlogs(guest, { page: 800, sort: "latest" }, 50);
    expect(last).toMatchObject({ blogs: [], hasMore: false });
    const cut = await listBlogs(guest, { page: limits.page.highest, sort: "latest" });
    expect(cut).toMatchObject({ blogs: [], hasMore: false });
  });
});

test("sums and marks are kept by all that is done to blogs", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const draft = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const hidden = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await eve.api.social.likeBlog.mutate({ blogId: hidden.id, liked: true });
  await eve.api.comments.create.mutate(aComment(blog));
  expect(await ana.api.blogs.stats.query()).toMatchObject({ blogs: 3, likes: 2, comments: 1 });
  expect([await wrong(town), wrongTags(town)]).toEqual([right, []]);
  await ana.api.blogs.update.mutate({ id: draft.id, draft: false });
  await ana.api.blogs.update.mutate({ id: hidden.id, private: false });
  await ana.api.blogs.update.mutate({ id: blog.id, private: true, tags: ["day", "night"] });
  expect(await eve.api.users.profile.query({ username: ana.me.username })).toMatchObject({ blogsCount: 2 });
  expect([await wrong(town), wrongTags(town)]).toEqual([right, []]);
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: false });
  await ana.api.users.updateSettings.mutate({ private: true });
  expect([await wrong(town), wrongTags(town)]).toEqual([right, []]);
  await ana.api.blogs.remove.mutate({ id: hidden.id });
  expect(await ana.api.blogs.stats.query()).toMatchObject({ blogs: 2, likes: 0, comments: 1 });
  expect([await wrong(town), wrongTags(town)]).toEqual([right, []]);
});

test("an account with many blogs closes and opens at once for whoever reads, and in small steps for the store", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const { id } = await eve.api.blogs.create.mutate(aBlog());
  await fill(town, blogs(7, 1_500, ana.me.id));
  const seen = async (who = town.browser()) =>
    (await who.api.blogs.list.query({})).blogs.map(({ author }) => author.username);
  expect(await seen()).toEqual(["eve", "ana", "ana", "ana"]);
  const unsettled = () => town.rows("select 1 from users where unsettled = 1").length;
  const marked = () =>
    town.rows<{ total: number }>("select count(*) as total from blogs where open = 0")[0]?.total;
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(unsettled()).toBe(1);
  expect(await seen()).toEqual(["eve"]);
  expect(await seen(ana)).toEqual(["eve", "ana", "ana", "ana"]);
  await until(() => unsettled() === 0, "the last mark");
  expect(marked()).toBe(1_500);
  expect(await seen()).toEqual(["eve"]);
  expect(await seen(ana)).toEqual(["eve", "ana", "ana", "ana"]);
  await ana.api.users.updateSettings.mutate({ private: false });
  expect(await seen()).toEqual(["eve", "ana", "ana", "ana"]);
  await until(() => unsettled() === 0, "the last mark");
  expect(await wrong(town)).toEqual(right);
  expect((await town.browser().api.blogs.list.query({ sort: "likes" })).blogs[0]?.id).toBe(id);
});

test("marks a thousand notifications as read; changes of a count above a hundred are not published", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await fill(
    town,
    people(8, 1_300),
    `insert into notifications (id, user_id, kind, actor_id, target, created_at)
      select 'n' || number, '${ana.me.id}', 'like', id, 'blog-' || (number % 400), number from users where username like 'crowd8-%'`,
  );
  const { unread, notifications } = await ana.api.social.notifications.query();
  expect(unread).toBe(100);
  const [first] = notifications;
  const only = { kind: first?.kind ?? "like", target: first?.target ?? "" };
  expect(await ana.api.social.readNotifications.mutate({ only })).toMatchObject({ unread: 100 });
  expect(await ana.api.social.readNotifications.mutate({})).toMatchObject({ unread: 0 });
  expect(town.rows("select 1 from notifications where read_at is null")).toEqual([]);
  expect((await ana.api.social.notifications.query()).notifications.some((one) => one.unread)).toBe(false);
});

test("what a guest of the API was answered is kept until something of it changes", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const guest = new ApiClient(town);
  const anas = await ApiClient.of(town, ana);
  const ask = async (query = "?limit=20") => (await guest.call("GET", `/blogs${query}`)).body;
  /** Statements that read some rows while something was asked for. */
  const reads = async (work: () => Promise<unknown>) => {
    const { drizzle } = town.app.parts.database.read;
    const { $client } = drizzle as unknown as { $client: Sqlite.Database };
    const shape = Object.getPrototypeOf($client.prepare("select 1")) as {
      all: (...given: unknown[]) => unknown;
    };
    const { all } = shape;
    let asked = 0;
    shape.all = function counted(...given) {
      asked++;
      return all.apply(this, given);
    };
    await work().finally(() => {
      shape.all = all;
    });
    return asked;
  };
  await ask();
  const first = await ask();
  expect(await reads(() => ask())).toBe(0);
  expect(await reads(() => ask("?limit=20&anything=else"))).toBe(0);
  expect((await ask("?limit=20&page=1&sort=latest")).blogs).toEqual(first.blogs);
  // A member has their own, and leaves none behind.
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  const [eves] = (await (await ApiClient.of(town, eve)).call("GET", "/blogs?limit=20")).body.blogs;
  expect(eves.likes).toEqual([{ _id: eve.me.id }]);
  const card = async () => (await ask()).blogs.find(({ _id }: { _id: string }) => _id === blog.id);
  expect((await card()).likes).toEqual([{ _id: eve.me.id }]);
  await eve.api.users.updateSettings.mutate({ showLikedBlogs: false });
  expect((await card()).likes).not.toEqual([{ _id: eve.me.id }]);
  expect((await card()).likesCount).toBe(1);
  await eve.api.social.saveBlog.mutate({ blogId: blog.id, saved: true });
  expect((await card()).totalSavesCount).toBe(1);
  const comment = await eve.api.comments.create.mutate(aComment(blog));
  expect(await card()).toMatchObject({ comments: [{ _id: comment.id }], commentsCount: 1 });
  await anas.call("PATCH", `/users/${ana.me.id}`, { name: "Anna" });
  expect((await card()).creator.name).toBe("Anna");
  await eve.api.blogs.create.mutate(aBlog({ title: "Newer" }));
  expect((await ask()).blogs).toHaveLength(2);
  const liked = async () =>
    (await ask("?limit=20&sort=likes")).blogs.map(({ title }: { title: string }) => title);
  expect(await liked()).toEqual(["A walk at night", "Newer"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect((await ask()).blogs).toHaveLength(1);
  await eve.api.users.remove.mutate({ password: "correct horse battery" });
  expect((await ask()).blogs).toEqual([]);
});

test("members are told of who likes what they may see, whoever asked before", async () => {
  await using town = await startTown();
  const [ana, eve, shy, bob] = [
    await town.resident("Ana"),
    await town.resident("Eve"),
    await town.resident("Shy"),
    await town.resident("Bob"),
  ];
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await eve.api.social.follow.mutate({ userId: shy.me.id, follow: true });
  await shy.api.users.updateSettings.mutate({ private: true });
  await bob.api.users.updateSettings.mutate({ showLikedBlogs: false });
  for (const who of [shy, bob, eve]) await who.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const likes = async (client: ApiClient) =>
    (await client.call("GET", "/blogs")).body.blogs[0].likes.map(({ _id }: { _id: string }) => _id);
  const named = [shy, bob, eve].map(({ me }) => me.id);
  const knows = async (client: ApiClient) => {
    const shown = await likes(client);
    expect(shown).toHaveLength(3);
    return named.filter((one) => shown.includes(one));
  };
  const [anas, eves, shys, bobs] = [
    await ApiClient.of(town, ana),
    await ApiClient.of(town, eve),
    await ApiClient.of(town, shy),
    await ApiClient.of(town, bob),
  ];
  const guest = new ApiClient(town);
  for (let round = 0; round < 2; round++) {
    expect(await knows(guest)).toEqual([eve.me.id]);
    expect(await knows(anas)).toEqual([eve.me.id]);
    expect(await knows(eves)).toEqual([shy.me.id, eve.me.id]);
    expect(await knows(shys)).toEqual([shy.me.id, eve.me.id]);
    expect(await knows(bobs)).toEqual([bob.me.id, eve.me.id]);
    // The same person is the same in a blog, whoever asks.
    expect((await likes(guest)).filter((one: string) => !named.includes(one))).toEqual(
      (await likes(anas)).filter((one: string) => !named.includes(one)),
    );
  }
  await shy.api.social.removeFollower.mutate({ userId: eve.me.id });
  expect(await knows(eves)).toEqual([eve.me.id]);
  await bob.api.users.updateSettings.mutate({ showLikedBlogs: true });
  expect(await knows(anas)).toEqual([bob.me.id, eve.me.id]);
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: false });
  expect(await likes(anas)).toHaveLength(2);
});

test("a store of before gets its marks and sums with the migration", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-before-"));
  try {
    const before = path.join(folder, "migrations");
    await cp(path.join(projectRoot, "migrations"), before, { recursive: true });
    const journal = path.join(before, "meta/_journal.json");
    const written = JSON.parse(await readFile(journal, "utf8")) as { entries: unknown[] };
    await writeFile(journal, JSON.stringify({ ...written, entries: written.entries.slice(0, 8) }));
    const file = path.join(folder, "reprise.db");
    await migrateDatabase(file, before, path.join(folder, "backups"));
    const store = new Sqlite(file);
    store.exec(`insert into users (id, username, email, name, private, verified_at, created_at) values ('a', 'ana', 'a', 'Ana', 0, 1, 1), ('b', 'bob', 'b', 'Bob', 1, 1, 1);
      insert into blogs (id, slug, author_id, title, document, html, text, excerpt, tags, words, reading_minutes, draft, private, likes_count, comments_count, created_at, published_at)
      select 'blog' || value, value, case when value % 2 then 'a' else 'b' end, 'Title', '{}', '', '', '', '["owls","night","owls"]', 0, 1, value % 5 = 0, value % 3 = 0, 0, 0, 1, 1 from json_each('[1,2,3,4,5,6,7,8,9,10,11,12]');
      insert into blog_likes (blog_id, user_id, created_at) values ('blog1', 'b', 1), ('blog3', 'b', 1);
      update blogs set likes_count = 1 where id in ('blog1', 'blog3')`);
    store.close();
    await using town = await startTown({ DATA_DIR: folder });
    expect([await wrong(town), wrongTags(town)]).toEqual([right, []]);
    expect(town.rows("select count(*) as rows from blog_tags")).toEqual([{ rows: 20 }]);
    expect(town.rows("select likes_received as likes from users where id = 'a'")).toEqual([{ likes: 2 }]);
    expect(town.rows("select id from blogs where open = 1 order by id")).toEqual(
      ["blog1", "blog11", "blog7"].map((id) => ({ id })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
