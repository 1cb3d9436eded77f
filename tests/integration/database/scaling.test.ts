import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listBlogs, listByAuthor, listByTag, myBlogs, myStats } from "../../../src/server/blogs/reading.ts";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { checkAndRepair } from "../../../src/server/database/check-and-repair.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { pruneEventLog } from "../../../src/server/live/event-log.ts";
import { listNotifications } from "../../../src/server/notifications/service.ts";
import { listPeople } from "../../../src/server/follows/people.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { insertBlogsSql, runStatements, insertPeopleSql } from "../../support/bulk-rows.ts";
import { createLargeDatabase, type LargeSite, type Size } from "../../support/large-site.ts";
import { canCountPageReads, countPageReads, withoutPageCache } from "../../support/page-reads.ts";
import { recordStatements } from "../../support/statements.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, startTestSite, until, type TestSite } from "../../support/test-site.ts";

interface GrownSite {
  testSite: TestSite;
  grown: LargeSite;
}

async function startGrownSite(size: Size): Promise<GrownSite> {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-grown-"));
  const grown = await createLargeDatabase(folder, size);
  return { grown, testSite: await startTestSite({ DATA_DIR: folder }) };
}

const findWrongCounts = async (testSite: TestSite) => {
  const { integrity, brokenReferences, recounted } = await checkAndRepair(testSite.app.services.database);
  return { integrity, brokenReferences, wrong: Object.entries(recounted).filter(([, rows]) => rows > 0) };
};
/** Returns tag rows that are wrong or missing. */
const findWrongTags = (testSite: TestSite) => {
  const columns = "blog_seq, tag, author_id, is_public, likes_count, published_at";
  const expectedRows = `select distinct b.seq as blog_seq, t.value as tag, b.author_id, b.is_public, b.likes_count, b.published_at
    from blogs b, ${isPostgres ? "json_array_elements_text(b.tags::json) as t(value)" : "json_each(b.tags) t"} where b.draft = 0`;
  return [
    ...testSite.rows(`select ${columns} from blog_tags except ${expectedRows}`),
    ...testSite.rows(`${expectedRows} except select ${columns} from blog_tags`),
  ];
};
const correctCounts = { integrity: ["ok"], brokenReferences: 0, wrong: [] };

// Counts the pages of SQLite's file.
describe.skipIf(isPostgres)("of a site twenty times as large", () => {
  let small: GrownSite;
  let large: GrownSite;
  beforeAll(async () => {
    [small, large] = [await startGrownSite("1k"), await startGrownSite("20k")];
    for (const { testSite } of [small, large]) await withoutPageCache(testSite);
  });
  afterAll(async () => {
    await small.testSite[Symbol.asyncDispose]();
    await large.testSite[Symbol.asyncDispose]();
  });

  test("the stored counts are right", async () => {
    expect(await findWrongCounts(small.testSite)).toEqual(correctCounts);
    expect(findWrongTags(small.testSite)).toEqual([]);
    expect(small.testSite.rows("select 1 from blog_tags limit 1")).toHaveLength(1);
  });

  const contexts = ({ testSite, grown: { author, reader } }: GrownSite) => {
    const [author_, reader_] = [
      actingAs(testSite.app.services, author.id),
      actingAs(testSite.app.services, reader.id),
    ];
    const guest = { ...reader_, viewer: null };
    return { author: author_, reader: reader_, guest, names: { author, reader } };
  };
  /** The most common tag of each site. */
  const tags = new Map<GrownSite, string>();
  beforeAll(() => {
    for (const site of [small, large]) {
      const [first] = site.testSite.rows<{ tag: string }>(
        "select tag from blog_tags group by tag order by count(*) desc limit 1",
      );
      tags.set(site, first?.tag ?? "");
    }
  });
  const tagOf = (site: GrownSite) => tags.get(site) ?? "";
  /** With the pages that only the large one may read, for entries that it counts or skips. */
  const lists: [string, (site: GrownSite) => Promise<unknown>, more?: number][] = [
    ["the feed, for a guest", (site) => listBlogs(contexts(site).guest, { page: 1, sort: "latest" })],
    ["the feed, for a member", (site) => listBlogs(contexts(site).reader, { page: 1, sort: "latest" })],
    ["the most liked", (site) => listBlogs(contexts(site).reader, { page: 1, sort: "likes" })],
    [
      "what has a tag",
      (site) => listByTag(contexts(site).reader, { tag: tagOf(site), page: 1, sort: "latest" }),
      // Counts up to a thousand blogs.
      200,
    ],
    [
      "the most liked of a tag",
      (site) => listByTag(contexts(site).guest, { tag: tagOf(site), page: 3, sort: "likes" }),
    ],
    [
      "the last page of the feed",
      (site) => listBlogs(contexts(site).guest, { page: Math.floor(site.grown.blogs / 4.3), sort: "latest" }),
      // Skips 18,600 entries of the index; as rows they would take as many pages.
      500,
    ],
    ["one's own blogs", (site) => myBlogs(contexts(site).author, { page: 1 })],
    [
      "the last of one's own blogs",
      (site) => myBlogs(contexts(site).author, { page: Math.floor(site.grown.author.blogs / 6) }),
      // Skips 4,000 entries of the index.
      100,
    ],
    ["the sums of them", (site) => myStats(contexts(site).author)],
    [
      "the blogs of a profile",
      (site) =>
        listByAuthor(contexts(site).reader, { username: site.grown.author.username, tab: "blogs", page: 1 }),
    ],
    [
      "its drafts",
      (site) =>
        listByAuthor(contexts(site).author, {
          username: site.grown.author.username,
          tab: "draft-blogs",
          page: 1,
        }),
      // Searches the index of the author's 4,000 blogs.
      100,
    ],
    [
      "followers",
      (site) =>
        listPeople(contexts(site).guest, {
          username: site.grown.reader.username,
          list: "following",
          page: 3,
        }),
    ],
    ["notifications", (site) => listNotifications(contexts(site).author)],
    ["what is old in the outbox", (site) => pruneEventLog(site.testSite.app.services.database, Date.now())],
  ];
  test.skipIf(!canCountPageReads).each(lists)(
    "%s reads about as many pages as on the small one",
    async (_name, list, more = 0) => {
      const [smallReads, largeReads] = [
        await countPageReads(() => list(small)),
        await countPageReads(() => list(large)),
      ];
      expect(smallReads).toBeGreaterThan(0);
      // A lookup in a larger table passes one level more.
      expect(largeReads).toBeLessThanOrEqual(1.5 * smallReads + 20 + more);
    },
  );

  test("unread notifications are counted up to a hundred", async () => {
    const { unread } = await listNotifications(contexts(large).author);
    expect(unread).toBe(limits.notifications.counted);
    expect(large.grown.author.notifications).toBeGreaterThan(10_000);
  });

  test("lists end at forty thousand entries, and do not claim more", async () => {
    const { guest } = contexts(large);
    const last = await listBlogs(guest, { page: 800, sort: "latest" }, 50);
    expect(last).toMatchObject({ blogs: [], hasMore: false });
    const lastPage = await listBlogs(guest, { page: limits.page.highest, sort: "latest" });
    expect(lastPage).toMatchObject({ blogs: [], hasMore: false });
  });
});

test("keeps stored counts and tag rows right through every change of a blog", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const draft = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const hidden = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await eve.api.social.likeBlog.mutate({ blogId: hidden.id, liked: true });
  await eve.api.comments.create.mutate(aComment(blog));
  expect(await ana.api.blogs.stats.query()).toMatchObject({ blogs: 3, likes: 2, comments: 1 });
  expect([await findWrongCounts(testSite), findWrongTags(testSite)]).toEqual([correctCounts, []]);
  await ana.api.blogs.update.mutate({ id: draft.id, draft: false });
  await ana.api.blogs.update.mutate({ id: hidden.id, private: false });
  await ana.api.blogs.update.mutate({ id: blog.id, private: true, tags: ["day", "night"] });
  expect(await eve.api.users.profile.query({ username: ana.me.username })).toMatchObject({ blogsCount: 2 });
  expect([await findWrongCounts(testSite), findWrongTags(testSite)]).toEqual([correctCounts, []]);
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: false });
  await ana.api.users.updateSettings.mutate({ private: true });
  expect([await findWrongCounts(testSite), findWrongTags(testSite)]).toEqual([correctCounts, []]);
  await ana.api.blogs.remove.mutate({ id: hidden.id });
  expect(await ana.api.blogs.stats.query()).toMatchObject({ blogs: 2, likes: 0, comments: 1 });
  expect([await findWrongCounts(testSite), findWrongTags(testSite)]).toEqual([correctCounts, []]);
});

test("hides or shows an account's many blogs at once for readers, and updates their rows in small steps", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const { id } = await eve.api.blogs.create.mutate(aBlog());
  await runStatements(testSite, insertBlogsSql(7, 1_500, ana.me.id));
  const feedAuthors = async (person = testSite.browser()) =>
    (await person.api.blogs.list.query({})).blogs.map(({ author }) => author.username);
  expect(await feedAuthors()).toEqual(["eve", "ana", "ana", "ana"]);
  const pending = () => testSite.rows("select 1 from users where visibility_sync_pending = 1").length;
  const hiddenCount = () =>
    testSite.rows<{ total: number }>("select count(*) as total from blogs where is_public = 0")[0]?.total;
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(pending()).toBe(1);
  expect(await feedAuthors()).toEqual(["eve"]);
  expect(await feedAuthors(ana)).toEqual(["eve", "ana", "ana", "ana"]);
  await until(() => pending() === 0, "the last mark");
  expect(hiddenCount()).toBe(1_500);
  expect(await feedAuthors()).toEqual(["eve"]);
  expect(await feedAuthors(ana)).toEqual(["eve", "ana", "ana", "ana"]);
  await ana.api.users.updateSettings.mutate({ private: false });
  expect(await feedAuthors()).toEqual(["eve", "ana", "ana", "ana"]);
  await until(() => pending() === 0, "the last mark");
  expect(await findWrongCounts(testSite)).toEqual(correctCounts);
  expect((await testSite.browser().api.blogs.list.query({ sort: "likes" })).blogs[0]?.id).toBe(id);
});

test("marks over a thousand notifications as read, and counts at most a hundred as unread", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await runStatements(
    testSite,
    insertPeopleSql(8, 1_300),
    `insert into notifications (id, user_id, kind, actor_id, target, created_at)
      select 'n' || seq, '${ana.me.id}', 'like', id, 'blog-' || (seq % 400), seq from users where username like 'crowd8-%'`,
  );
  const { unread, notifications } = await ana.api.social.notifications.query();
  expect(unread).toBe(100);
  const [first] = notifications;
  const only = { kind: first?.kind ?? "like", target: first?.target ?? "" };
  expect(await ana.api.social.readNotifications.mutate({ only })).toMatchObject({ unread: 100 });
  expect(await ana.api.social.readNotifications.mutate({})).toMatchObject({ unread: 0 });
  expect(testSite.rows("select 1 from notifications where read_at is null")).toEqual([]);
  expect((await ana.api.social.notifications.query()).notifications.some((one) => one.unread)).toBe(false);
});

test("caches REST responses for guests until something in them changes", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const guest = new ApiClient(testSite);
  const anas = await ApiClient.of(testSite, ana);
  const listPage = async (query = "?limit=20") => (await guest.call("GET", `/blogs${query}`)).body;
  /** Counts the statements that read rows of blogs. */
  const countReads = async (action: () => Promise<unknown>) => {
    const { texts, stop } = recordStatements();
    await action().finally(stop);
    return texts.filter((text) => /\b(from|join) "?blogs\b/.test(text)).length;
  };
  await listPage();
  const first = await listPage();
  expect(await countReads(() => listPage("?limit=19"))).toBeGreaterThan(0);
  expect(await countReads(() => listPage())).toBe(0);
  expect(await countReads(() => listPage("?limit=20&anything=else"))).toBe(0);
  expect((await listPage("?limit=20&page=1&sort=latest")).blogs).toEqual(first.blogs);
  // A member's response is not cached.
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  const [eves] = (await (await ApiClient.of(testSite, eve)).call("GET", "/blogs?limit=20")).body.blogs;
  expect(eves.likes).toEqual([{ _id: eve.me.id }]);
  const card = async () => (await listPage()).blogs.find(({ _id }: { _id: string }) => _id === blog.id);
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
  expect((await listPage()).blogs).toHaveLength(2);
  const likedTitles = async () =>
    (await listPage("?limit=20&sort=likes")).blogs.map(({ title }: { title: string }) => title);
  expect(await likedTitles()).toEqual(["A walk at night", "Newer"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect((await listPage()).blogs).toHaveLength(1);
  await eve.api.users.remove.mutate({ password: "correct horse battery" });
  expect((await listPage()).blogs).toEqual([]);
});

test("names only people whose likes the viewer may see, whatever was requested before", async () => {
  const [testSite, ana, eve, shy, bob] = await siteWith("Ana", "Eve", "Shy", "Bob");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await eve.api.social.follow.mutate({ userId: shy.me.id, follow: true });
  await shy.api.users.updateSettings.mutate({ private: true });
  await bob.api.users.updateSettings.mutate({ showLikedBlogs: false });
  for (const person of [shy, bob, eve]) await person.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const likes = async (client: ApiClient) =>
    (await client.call("GET", "/blogs")).body.blogs[0].likes.map(({ _id }: { _id: string }) => _id);
  const named = [shy, bob, eve].map(({ me }) => me.id);
  const namedLikers = async (client: ApiClient) => {
    const shown = await likes(client);
    expect(shown).toHaveLength(3);
    return named.filter((one) => shown.includes(one));
  };
  const [anas, eves, shys, bobs] = [
    await ApiClient.of(testSite, ana),
    await ApiClient.of(testSite, eve),
    await ApiClient.of(testSite, shy),
    await ApiClient.of(testSite, bob),
  ];
  const guest = new ApiClient(testSite);
  for (let round = 0; round < 2; round++) {
    expect(await namedLikers(guest)).toEqual([eve.me.id]);
    expect(await namedLikers(anas)).toEqual([eve.me.id]);
    expect(await namedLikers(eves)).toEqual([shy.me.id, eve.me.id]);
    expect(await namedLikers(shys)).toEqual([shy.me.id, eve.me.id]);
    expect(await namedLikers(bobs)).toEqual([bob.me.id, eve.me.id]);
    // A hidden person has the same id for every viewer.
    expect((await likes(guest)).filter((one: string) => !named.includes(one))).toEqual(
      (await likes(anas)).filter((one: string) => !named.includes(one)),
    );
  }
  await shy.api.social.removeFollower.mutate({ userId: eve.me.id });
  expect(await namedLikers(eves)).toEqual([eve.me.id]);
  await bob.api.users.updateSettings.mutate({ showLikedBlogs: true });
  expect(await namedLikers(anas)).toEqual([bob.me.id, eve.me.id]);
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: false });
  expect(await likes(anas)).toHaveLength(2);
});
