import type Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../../src/server/database/connection.ts";
import { recentTextsWithLinks } from "../../../src/server/comments/pending-queries.ts";
import {
  redirecting,
  releaseUsernames,
  takenSkeletons,
} from "../../../src/server/profiles/username-queries.ts";
import { hasStaffWork } from "../../../src/server/moderation/staff-queries.ts";
import { unreadBetween } from "../../../src/server/notifications/queries.ts";
import { hasNotificationOf } from "../../../src/server/notifications/subscription-queries.ts";
import {
  listPendingForLink,
  listBlogs,
  listComments,
} from "../../../src/server/moderation/content-queries.ts";
import { newestPublished, newestVersion } from "../../../src/server/history/content-queries.ts";
import { nextPublicBlog, publicBlogsInRange } from "../../../src/server/feeds/site-map-queries.ts";
import { tagsOfNewestBlogs } from "../../../src/server/blogs/tag-queries.ts";
import { lastCommitAuthor } from "../../../src/server/writing/queries.ts";
import { entriesByIds } from "../../../src/server/entries/queries.ts";
import {
  anonymizeEntries,
  deleteEntriesOfBlog,
  deleteEntryLikes,
} from "../../../src/server/entries/removal-queries.ts";
import {
  isPictureVisibleTo,
  isPublicPicture,
  picturesForAuthorsOf,
} from "../../../src/server/media/queries.ts";
import { textBytesOf } from "../../../src/server/profiles/account-queries.ts";
import { listPeople } from "../../../src/server/moderation/queries.ts";
import { entryOrders } from "../../../src/shared/entries.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { insertEntriesSql, numberedId, runStatements } from "../../support/bulk-rows.ts";
import { createLiveBlog, postEntry } from "../../support/live-blogs.ts";
import {
  aBlog,
  aComment,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/** A statement that the server ran, with SQLite's query plan. */
interface Plan {
  sql: string;
  steps: string[];
}

let testSite: TestSite;
let plans: Plan[];

/** Records every statement prepared from now on. */
function recordStatements(sqlite: Sqlite.Database): Set<string> {
  const sources = new Set<string>();
  const prepare = sqlite.prepare.bind(sqlite);
  sqlite.prepare = (source: string) => {
    sources.add(source);
    return prepare(source);
  };
  return sources;
}

const clientOf = ({ drizzle }: Connection) => (drizzle as unknown as { $client: Sqlite.Database }).$client;

function explain(sqlite: Sqlite.Database, source: string): Plan {
  const parameters = Array.from({ length: source.split("?").length - 1 }, () => null);
  const rows = sqlite.prepare(`explain query plan ${source}`).all(...parameters) as { detail: string }[];
  return { sql: source, steps: rows.map(({ detail }) => detail) };
}

/** Opens every list and page, of the REST API too, as owner, follower and guest. */
async function openEveryPage(ana: SignedInBrowser, eve: SignedInBrowser) {
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const comment = await eve.api.comments.create.mutate(aComment(blog));
  const reply = () => ana.api.comments.create.mutate(aComment(blog, { parentId: comment.id }));
  for (let count = 0; count < limits.replies.whole; count++) await reply();
  const foldedReply = await reply();
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: true });
  const [entry, at] = [numberedId(1, 0), new Date(0).toISOString()];
  await runStatements(testSite, insertEntriesSql(1, 3, { blogId: blog.id, authorId: ana.me.id }));
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  for (const { api } of [ana, eve, testSite.browser()]) {
    for (const sort of ["latest", "likes"] as const) await api.blogs.list.query({ sort, page: 2 });
    for (const sort of ["latest", "likes"] as const)
      await api.blogs.byTag.query({ tag: "night", sort, page: 2 });
    await api.blogs.bySlug.query({ slug: blog.slug });
    await api.blogs.card.query({ id: blog.id });
    await api.blogs.further.query({ id: blog.id });
    for (const list of ["followers", "following"] as const)
      await api.social.people.query({ username: ana.me.username, list });
    await api.users.profile.query({ username: ana.me.username });
    const comments = await api.comments.list.query({ blogId: blog.id });
    await api.comments.list.query({
      blogId: blog.id,
      before: comments.comments[0]?.id,
      including: foldedReply.id,
    });
    await api.comments.replies.query({ blogId: blog.id, rootId: comment.id });
    for (const order of entryOrders)
      for (const after of [undefined, { id: entry, at }])
        await api.blogs.entries.query({ blogId: blog.id, order, after });
  }
  for (const tab of ["blogs", "saved-blogs", "liked-blogs", "draft-blogs", "private-blogs"] as const)
    await ana.api.blogs.byAuthor.query({ username: ana.me.username, tab });
  for (const api of [ana.api, testSite.browser().api]) {
    await api.blogs.search.query({ query: "owls" });
    await api.users.search.query({ query: "eve" });
  }
  const [version] = (await ana.api.blogs.versions.query({ id: blog.id })).versions;
  const { id, createdAt } = version!;
  await ana.api.blogs.versions.query({ id: blog.id, before: { id, createdAt } });
  await ana.api.blogs.version.query({ id: blog.id, version: id });
  // Statements of saves.
  const { read } = testSite.app.services.database;
  await newestPublished(read, blog.id);
  await newestVersion(read, blog.id);
  await lastCommitAuthor(read, blog.id, 1);
  await textBytesOf(read, ana.me.id);
  await entriesByIds(read, [entry]);
  await ana.api.blogs.entryForEdit.query({ id: entry });
  await ana.api.blogs.recommended.query();
  await eve.api.users.updateSettings.mutate({ interests: ["night"] });
  for (const page of [1, 2]) await eve.api.blogs.following.query({ page });
  await testSite.browser().api.blogs.showcase.query();
  await testSite.browser().api.blogs.topicsInUse.query();
  for (const page of [1, 2]) await ana.api.blogs.mine.query({ page });
  for (const sort of ["latest", "oldest"] as const)
    for (const filter of ["published", "scheduled", "drafts", "private"] as const)
      await ana.api.blogs.mine.query({ show: filter, sort, words: "owls" });
  await ana.api.blogs.stats.query();
  await ana.api.blogs.invitations.query();
  await ana.api.social.requests.query();
  await ana.api.social.notifications.query();
  // Nothing was rejected, but the statement is the same.
  await ana.api.social.restoreRequest.mutate({ userId: eve.me.id }).catch(() => {});
  await ana.api.users.sessions.query();
  await ana.api.users.me.query();
  for (const client of [
    await ApiClient.of(testSite, ana),
    await ApiClient.of(testSite, eve),
    new ApiClient(testSite),
  ]) {
    const lists = [
      "/blogs?sort=latest",
      "/blogs?sort=likes",
      "/search-blogs?search=owls",
      "/search-users?search=eve",
    ];
    for (const path of [`/blogs/${blog.slug}`, `/users/${ana.me.username}`, ...lists])
      expect((await client.call("GET", path)).status).toBe(200);
    const edit = { updatedCommentContent: "Lovelier." };
    await client.call("PATCH", `/blogs/edit-comment/${comment.id}`, edit);
    await client.call("GET", `/blogs/user/${ana.me.id}`);
  }
}

beforeAll(async () => {
  testSite = await startTestSite();
  const { read, snapshot } = testSite.app.services.database;
  // Procedures read in snapshots on a few connections: nested snapshots reach each of them.
  const recorded = [recordStatements(clientOf(read))];
  const recordSnapshots = (remaining: number): Promise<void> =>
    snapshot(async (connection) => {
      recorded.push(recordStatements(clientOf(connection)));
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      if (remaining > 1) await recordSnapshots(remaining - 1);
    });
  await recordSnapshots(3);
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  // Lists for a viewer with blocks are other statements.
  await eve.api.social.block.mutate({ userId: (await testSite.createAccount("Zoe")).me.id, blocked: true });
  await openEveryPage(ana, eve);
  const sqlite = clientOf(read);
  plans = [...new Set(recorded.flatMap((statements) => [...statements]))]
    .filter((source) => /^\s*(select|with)/i.test(source))
    .map((source) => explain(sqlite, source));
});
afterAll(() => testSite[Symbol.asyncDispose]());

/** Returns the statements that list rows of this table. Tables of subqueries have no join after them. */
const plansFor = (table: string, ...fragments: string[]) =>
  plans.filter(
    ({ sql }) =>
      new RegExp(`from "${table}" (inner join|left join|where)`).test(sql) &&
      fragments.every((word) => sql.includes(word)),
  );

/** Returns the statements that aggregate for many blogs or comments at once. */
const aggregatesOf = (table: string) =>
  plans.filter(
    ({ sql }) => sql.includes("json_each(?) as wanted") && new RegExp(`from "${table}"\\s+where`).test(sql),
  );

test("records the statements of every page", () => {
  expect(plans.length).toBeGreaterThan(25);
  expect(plansFor("blogs", "order by").length).toBeGreaterThanOrEqual(3);
  expect(plansFor("comments", "order by").length).toBeGreaterThanOrEqual(2);
  expect(plansFor("follows", "order by").length).toBeGreaterThanOrEqual(2);
});

/** Returns the tables that a plan scans without an index, except those that the statement itself materialized. */
function scannedTables({ steps }: Plan): string[] {
  const materialized = new Set(
    steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (.+)$/.exec(step)?.[1] ?? []),
  );
  return steps.flatMap((step) => {
    const name = /^SCAN (\S+)/.exec(step)?.[1] ?? "";
    const isTable =
      name !== "" &&
      name !== "CONSTANT" &&
      !name.startsWith("json_each") &&
      !materialized.has(name) &&
      !step.includes("VIRTUAL TABLE");
    return isTable && !/USING (COVERING )?INDEX/.test(step) ? [name] : [];
  });
}

test("scans no whole table on any page", () => {
  expect(
    plans
      .filter((plan) => scannedTables(plan).length > 0)
      .map((plan) => `${scannedTables(plan).join()}: ${plan.sql}`),
  ).toEqual([]);
  const sqlite = clientOf(testSite.app.services.database.read);
  expect(scannedTables(explain(sqlite, "select b.id from blogs b where b.title = ?"))).toEqual(["b"]);
});

test("names the table of an id that a query within another compares", () => {
  // Drizzle leaves it out where a query has one table: the inner query's own id would be compared.
  expect(plans.filter(({ sql }) => sql.includes('= "id"')).map(({ sql }) => sql)).toEqual([]);
});

test("sorts nothing that an index has in order", () => {
  const sorted = plans.filter(({ steps }) =>
    steps.some((step) => /TEMP B-TREE FOR (LAST TERM OF )?ORDER BY/.test(step)),
  );
  // Exceptions: deleted comments; a thousand comments in the order they were found; search results and recommendations by rank;
  // followed people by their newest blog; the tags of the newest blogs.
  const exceptions = [
    "(with recursive below",
    "first.bytes",
    "bm25(",
    '"followed"',
    "as followed where newest",
    "how_many",
  ];
  const others = sorted.filter(({ sql }) => !exceptions.some((fragment) => sql.includes(fragment)));
  expect(others.map(({ sql, steps }) => `${steps.join(" / ")}: ${sql}`)).toEqual([]);
});

/** Returns the statements that list a person's blogs, own and shared. */
const plansWithShared = (fragment: string) =>
  plans.filter(
    ({ sql }) => sql.includes("from blog_authors w") && sql.includes("union all") && sql.includes(fragment),
  );

test.each([
  [
    "the latest blogs",
    () => plansFor("blogs", 'order by "blogs"."published_at" desc', "where (blogs.draft = 0 and"),
    "blogs_latest",
  ],
  ["the most liked blogs", () => plansFor("blogs", 'order by "blogs"."likes_count" desc'), "blogs_liked"],
  [
    "the latest of a tag",
    () => plansFor("blog_tags", 'order by "blog_tags"."published_at" desc'),
    "blog_tags_latest",
  ],
  [
    "the blogs of followed tags",
    () => plans.filter(({ sql }) => sql.includes("(blog_tags.published_at, blog_tags.blog_seq) <")),
    "blog_tags_latest",
  ],
  [
    "how many blogs followed tags have",
    () => plans.filter(({ sql }) => sql.includes("select distinct blog_tags.blog_seq")),
    "blog_tags_latest",
  ],
  [
    "the most liked of a tag",
    () => plansFor("blog_tags", 'order by "blog_tags"."likes_count" desc'),
    "blog_tags_liked",
  ],
  ["a person's blogs", () => plansWithShared("blogs.private = ?"), "blogs_author"],
  [
    "a person's drafts, and all that they wrote",
    () => plansWithShared("+blogs.draft between"),
    "blogs_written",
  ],
  ["what they write with others", () => plansWithShared("blog_authors w"), "blog_authors_written"],
  [
    "all that is somebody's own",
    () => plansFor("blogs", 'order by "blogs"."published_at" desc', "+blogs.draft between"),
    "blogs_written",
  ],
  [
    "who writes a blog with its author",
    () => plans.filter(({ sql }) => sql.includes("json_group_array(json(person))")),
    "blog_authors_joined",
  ],
  [
    "what somebody is invited to",
    () => plans.filter(({ sql }) => sql.includes('order by "blog_authors"."invited_at" desc')),
    "blog_authors_invited",
  ],
  [
    "what a person liked",
    () => plansFor("blog_likes", 'order by "blog_likes"."created_at" desc'),
    "blog_likes_user",
  ],
  [
    "what a person saved",
    () => plansFor("blog_saves", 'order by "blog_saves"."created_at" desc'),
    "blog_saves_user",
  ],
  [
    "entries from the newest on",
    () => plansFor("entries", 'order by "entries"."at" desc', "entry_likes"),
    "entries_shown",
  ],
  ["entries from the oldest on", () => plansFor("entries", 'order by "entries"."at" asc'), "entries_shown"],
  ["key moments", () => plansFor("entries", 'order by "entries"."at" desc', '"is_key" = 1'), "entries_key"],
  ["how many entries readers see", () => plansFor("entries", "count(*)", "is null"), "entries_shown"],
  [
    "the newest comments",
    () => plansFor("comments", 'order by "comments"."created_at" desc', "parent_id is null"),
    "comments_top",
  ],
  [
    "the first answers of threads",
    () => plans.filter(({ sql }) => sql.includes("c.root_id = root.value")),
    "comments_thread",
  ],
  [
    "more answers of a thread",
    () => plansFor("comments", 'order by "comments"."created_at" asc', '"root_id" = ?'),
    "comments_thread",
  ],
  [
    "what stood before an answer",
    () => plansFor("comments", 'order by "comments"."created_at" desc', '"root_id" = ?'),
    "comments_thread",
  ],
  [
    "how many answers threads have",
    () => plansFor("comments", 'group by "comments"."root_id"'),
    "comments_thread",
  ],
  ["what a blog said", () => plansFor("versions", 'order by "versions"."created_at" desc'), "versions_blog"],
  [
    "whether a blog's newest version holds what it says",
    () => plansFor("versions", "is not distinct from"),
    "versions_blog",
  ],
  ["who wrote last", () => plansFor("draft_commits", "order by"), "sqlite_autoindex_draft_commits_1"],
  ["who likes blogs", () => aggregatesOf("blog_likes"), "blog_likes_time"],
  ["who saves blogs", () => aggregatesOf("blog_saves"), "blog_saves_time"],
  ["who likes comments", () => aggregatesOf("comment_likes"), "comment_likes_time"],
  ["the newest comments of blogs", () => aggregatesOf("comments"), "comments_top"],
  ["the talk under a blog", () => plans.filter(({ sql }) => sql.includes("first.bytes")), "comments_blog"],
  ["requests that wait", () => plansFor("follow_requests", "order by"), "follow_requests_owner"],
  [
    "followers",
    () => plansFor("follows", 'order by "follows"."created_at" desc, "follows"."follower_id" desc'),
    "follows_followed",
  ],
  [
    "whom a person follows",
    () => plansFor("follows", 'order by "follows"."created_at" desc, "follows"."followed_id" desc'),
    "follows_follower",
  ],
  ["notifications", () => plansFor("notifications", "order by"), "notifications_user"],
  ["a person's sessions", () => plansFor("sessions", "order by"), "sessions_user"],
])("reads %s along their own index", (_name, findPlans, index) => {
  const matching = findPlans();
  expect(matching.length).toBeGreaterThan(0);
  for (const { steps } of matching)
    expect(steps.join("\n")).toMatch(new RegExp(`USING (COVERING )?INDEX ${index}\\b`));
});

test("merges own and shared blogs from two indexes in one order without reading more than it shows", () => {
  const sharedPlans = plansWithShared("limit");
  expect(sharedPlans.length).toBeGreaterThan(0);
  for (const { steps } of sharedPlans) expect(steps).toContain("MERGE (UNION ALL)");
});

test("looks up blocks in their index alone in every statement that shows people or their content", () => {
  const blockPlans = plans.filter(({ sql }) => /from blocks where viewer_id/.test(sql));
  expect(blockPlans.length).toBeGreaterThan(25);
  for (const { steps } of blockPlans)
    for (const step of steps.filter((one) => / blocks\b/.test(one)))
      expect(step).toMatch(/^SEARCH blocks USING COVERING INDEX sqlite_autoindex_blocks_1 \(viewer_id=\?/);
});

test("reads the event log along its topic", () => {
  const sqlite = clientOf(testSite.app.services.database.read);
  const { steps } = explain(
    sqlite,
    "select seq, event from live_events where topic = ? and seq > ? order by seq asc limit ?",
  );
  expect(steps).toEqual(["SEARCH live_events USING INDEX live_events_topic (topic=? AND seq>?)"]);
});

test("looks up notifications by person and kind, and earlier comments by author and blog", async () => {
  const [ana, ben] = [await testSite.createAccount("Ana-Lena"), await testSite.createAccount("Ben")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const sources = await testSite.write(async (tx) => recordStatements(clientOf(tx)));
  await ben.api.comments.create.mutate(aComment(blog));
  const newerComment = await ben.api.comments.create.mutate(aComment(blog));
  await testSite.write(async (tx) => {
    await hasNotificationOf(tx, ana.me.id, { id: newerComment.id, blogId: blog.id, authorId: ben.me.id });
    const range = { kinds: ["mention" as const], since: 0, before: Date.now(), limit: 300 };
    await unreadBetween(tx, ana.me.id, range);
  });
  await ben.api.comments.remove.mutate({ id: newerComment.id });
  const sqlite = clientOf(testSite.app.services.database.read);
  const stepsOf = (fragment: string) =>
    [...sources]
      .filter((source) => source.startsWith("select") && source.includes(fragment))
      .map((source) => explain(sqlite, source).steps.join("\n"));
  expect(stepsOf("'subscription'")).toEqual([
    expect.stringMatching(/INDEX notifications_once \(user_id=\? AND kind=\? AND actor_id=\?/),
  ]);
  expect(stepsOf("p.author_id from comments p")).toEqual([
    expect.stringMatching(/INDEX comments_author \(author_id=\? AND blog_id=\? AND rowid>\?/),
  ]);
  expect(stepsOf("one.kind")).toEqual([
    expect.stringMatching(
      /SEARCH notifications USING INTEGER PRIMARY KEY[^]*INDEX notifications_unread \(user_id=\? AND kind=\?/,
    ),
  ]);
});

test.each([
  ["suspended", "users_suspended"],
  ["limited", "users_limited"],
  ["staff", "users_staff"],
  ["unverified", "users_unverified"],
] as const)("finds %s accounts along their own index", async (state, index) => {
  const { read } = testSite.app.services.database;
  const sources = recordStatements(clientOf(read));
  for (const sort of ["newest", "name", "seen"] as const)
    await listPeople(read, { query: "", sort, state, viewerId: "", byEmail: true, limit: 21, offset: 0 });
  expect(sources.size).toBe(3);
  const statementPlans = [...sources].map((source) => explain(clientOf(read), source));
  for (const { steps } of statementPlans) {
    const [step] = steps;
    expect(step).toMatch(new RegExp(`^(SCAN|SEARCH) users USING INDEX ${index}\\b`));
  }
});

test.each([
  ["blogs", null, "all", /^SCAN blogs USING INDEX blogs_staff$/, true],
  ["public blogs", null, "public", /^SCAN blogs USING INDEX blogs_staff$/, true],
  ["taken-down blogs", null, "taken-down", /^SCAN blogs USING INDEX blogs_taken_down$/, false],
  ["a person's blogs", "ana", "all", /^SEARCH blogs USING INDEX blogs_written \(author_id=\?\)/, true],
] as const)(
  "reads the %s that staff list along an index",
  async (_what, authorId, state, step, isInOrder) => {
    const { read } = testSite.app.services.database;
    const sources = recordStatements(clientOf(read));
    await listBlogs(read, { viewerId: "", authorId, state, limit: 21, offset: 0 });
    const [{ steps } = { steps: [] }] = [...sources].map((source) => explain(clientOf(read), source));
    expect(steps.find((one) => /\bblogs\b/.test(one))).toMatch(step);
    if (isInOrder) expect(steps.join("\n")).not.toMatch(/TEMP B-TREE/);
  },
);

test.each([
  ["the newest comments", null, /^SEARCH comments USING INTEGER PRIMARY KEY \(rowid>\?\)/],
  ["a person's comments", "ana", /^SEARCH comments USING INDEX comments_written \(author_id=\?\)/],
] as const)("reads %s that staff list in their order", async (_what, authorId, step) => {
  const { read } = testSite.app.services.database;
  const sources = recordStatements(clientOf(read));
  await listComments(read, { viewerId: "", authorId, limit: 21, offset: 0 });
  const [{ steps } = { steps: [] }] = [...sources].map((source) => explain(clientOf(read), source));
  expect(steps[0]).toMatch(step);
  expect(steps.join("\n")).not.toMatch(/TEMP B-TREE/);
});

test("reads the blogs of the sitemap along an index that spares their texts", async () => {
  const { read } = testSite.app.services.database;
  const sources = recordStatements(clientOf(read));
  await publicBlogsInRange(read, { after: 0, to: 500, now: 0 });
  await nextPublicBlog(read, 0);
  const statementPlans = [...sources].map((source) => explain(clientOf(read), source));
  expect(statementPlans.map(({ steps }) => steps[0])).toEqual([
    "SEARCH blogs USING INDEX blogs_mapped (seq>? AND seq<?)",
    "SEARCH blogs USING COVERING INDEX blogs_mapped (seq>?)",
  ]);
  expect(statementPlans.flatMap(scannedTables)).toEqual([]);
  expect(statementPlans.flatMap(({ steps }) => steps).join("\n")).not.toContain("TEMP B-TREE");
});

test("looks up reserved usernames along their indexes", async () => {
  const sources = await testSite.write(async (tx) => {
    const recorded = recordStatements(clientOf(tx));
    await takenSkeletons(tx, ["owl"], { now: 0 });
    await redirecting(tx, ["owl"]);
    await releaseUsernames(tx, 0, 10);
    return recorded;
  });
  const stepsAbout = (fragment: string) =>
    [...sources]
      .filter((sql) => sql.includes("reserved_usernames") && sql.includes(fragment))
      .map((source) => explain(clientOf(testSite.app.services.database.read), source).steps.join("\n"));
  expect(stepsAbout('"until" > ')).toEqual([expect.stringContaining("reserved_usernames_until (until>?)")]);
  expect(stepsAbout("is not null")).toEqual([expect.stringContaining("(username=?)")]);
  expect(stepsAbout("delete")).toEqual([expect.stringContaining("reserved_usernames_user (user_id=?)")]);
});

test("reads pending comments with a first link, and earlier links along indexes", async () => {
  const sources = await testSite.write(async (tx) => {
    const recorded = recordStatements(clientOf(tx));
    await listPendingForLink(tx, 21);
    await hasStaffWork(tx);
    await recentTextsWithLinks(tx, "");
    await tagsOfNewestBlogs(tx, "", 100);
    return recorded;
  });
  const statementPlans = [...sources].map((source) =>
    explain(clientOf(testSite.app.services.database.read), source),
  );
  const stepsAbout = (fragment: string) =>
    statementPlans.find(({ sql }) => sql.includes(fragment))?.steps.join("\n");
  expect(stepsAbout("for_link = 1")).toContain("USING INDEX pending_comments_link");
  expect(stepsAbout("as text")).toContain("SEARCH comments USING INDEX comments_written (author_id=?)");
  expect(stepsAbout('distinct "tag"')).toContain(
    "SEARCH blogs USING COVERING INDEX blogs_author (author_id=? AND draft=? AND private=?)",
  );
  expect(statementPlans.flatMap(scannedTables)).toEqual([]);
  expect(stepsAbout("for_link = 1")).not.toMatch(/TEMP B-TREE/);
});

test("deletes entries, their authors' names and their likes along indexes, and finds their pictures so", async () => {
  const [zoe, yan] = [await testSite.createAccount("Zoe-Lena"), await testSite.createAccount("Yan")];
  const blog = await createLiveBlog(zoe);
  const { id } = await postEntry(zoe, blog);
  await yan.api.blogs.likeEntry.mutate({ id, liked: true });
  const sources = await testSite.write(async (tx) => {
    const recorded = recordStatements(clientOf(tx));
    await deleteEntryLikes(tx, yan.me.id, 10);
    await anonymizeEntries(tx, zoe.me.id, 10);
    await deleteEntriesOfBlog(tx, blog.id, 10);
    await isPublicPicture(tx, "");
    await isPictureVisibleTo(tx, "", "");
    await picturesForAuthorsOf(tx, "", [""]);
    return recorded;
  });
  const statementPlans = [...sources].map((source) =>
    explain(clientOf(testSite.app.services.database.read), source),
  );
  const stepsAbout = (fragment: string) =>
    statementPlans.filter(({ sql }) => sql.includes(fragment)).map(({ steps }) => steps.join("\n"));
  expect(stepsAbout('select "id", likes_count + (octet_length(document)')).toEqual([
    expect.stringContaining("INDEX entries_shown (blog_id=?)"),
  ]);
  expect(stepsAbout('update "entries" set "author_id"')).toEqual([
    expect.stringContaining("INDEX entries_author (author_id=?)"),
  ]);
  expect(stepsAbout('delete from "entry_likes"')).toEqual([
    expect.stringContaining("INDEX entry_likes_user (user_id=?)"),
  ]);
  const ofPictures = stepsAbout("from entry_media m");
  expect(ofPictures).toHaveLength(3);
  for (const steps of ofPictures)
    expect(steps).toMatch(
      /SEARCH m USING (COVERING )?INDEX (entry_media_media|sqlite_autoindex_entry_media_1)/,
    );
  expect(statementPlans.flatMap(scannedTables)).toEqual([]);
});
