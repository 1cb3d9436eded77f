import type Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { NewBlog } from "../../../src/shared/blogs.ts";
import { pagesOf } from "../../../src/shared/feed.ts";
import { statements as followingStatements } from "../../../src/server/blogs/following-queries.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { createBlog } from "../../../src/server/writing/service.ts";
import { statements as showcaseStatements } from "../../../src/server/blogs/newest-public-queries.ts";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
  password,
} from "../../support/test-site.ts";
import { insertBlogsSql, runStatements } from "../../support/bulk-rows.ts";

const hour = 60 * 60 * 1000;
const firstDate = Date.now() - 1_000 * hour;

/** Creates a blog published this many hours after `firstDate`. */
const createDatedBlog = async (
  testSite: TestSite,
  author: SignedInBrowser,
  title: string,
  hours: number,
  change = {},
) =>
  createBlog(
    actingAs(testSite.app.services, author.me.id),
    NewBlog.parse(aBlog({ title, description: "", tags: [], ...change })),
    { publishedAt: firstDate + hours * hour },
  );
const titles = ({ blogs }: { blogs: { title: string }[] }) => blogs.map(({ title }) => title);
const following = async (person: SignedInBrowser, page = 1) => person.api.blogs.following.query({ page });
const residents = async (testSite: TestSite, ...names: string[]) =>
  Promise.all(names.map((name) => testSite.createAccount(name)));

test("lists the blogs of followed authors in Following by date, page by page", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, cem, eve] = (await residents(testSite, "Ana", "Ben", "Cem", "Eve")) as [
    SignedInBrowser,
    ...SignedInBrowser[],
  ] &
    SignedInBrowser[];
  for (const other of [ana, ben!]) await eve!.api.social.follow.mutate({ userId: other.me.id, follow: true });
  expect(await following(eve!)).toMatchObject({ blogs: [], hasMore: false, pages: { count: 1 } });
  // More in a row than are read per step, and some with equal dates.
  const all: string[] = [];
  for (let index = 0; index < 30; index++) {
    const author = index < 14 ? ana : [ana, ben!][index % 2]!;
    await createDatedBlog(testSite, author, `${index}`, index);
    all.unshift(`${index}`);
  }
  await createDatedBlog(testSite, cem!, "Of somebody else", 31);
  await createDatedBlog(testSite, eve!, "Her own", 32);
  await createDatedBlog(testSite, ana, "Not yet", 33, { draft: true });
  const readTitles: string[] = [];
  for (let page = 1; page <= 8; page++) {
    const list = await following(eve!, page);
    expect(list).toMatchObject({ page, hasMore: page < 8, pages: { count: 8 } });
    readTitles.push(...titles(list));
  }
  expect(readTitles).toEqual(all);
  expect(await following(eve!, 9)).toMatchObject({ blogs: [], hasMore: false });
  expect(await following(eve!, 10_000)).toMatchObject({ blogs: [], hasMore: false });
  for (let index = 40; index < 46; index++)
    await createDatedBlog(testSite, [ana, ben!][index % 2]!, `At once ${index}`, 40);
  const bothPages = [...titles(await following(eve!)), ...titles(await following(eve!, 2))];
  expect(new Set(bothPages).size).toBe(8);
  await expectRefusal(testSite.browser().api.blogs.following.query({}), "UNAUTHORIZED");
});

test("lists blogs for followers in Following, and leaves out authors who are muted, blocked or no longer readable", async () => {
  await using testSite = await startTestSite();
  const [ana, eve] = (await residents(testSite, "Ana", "Eve")) as [SignedInBrowser, SignedInBrowser];
  await ana.api.users.updateSettings.mutate({ private: true });
  await createDatedBlog(testSite, ana, "Of a private account", 1, { tags: ["owls"] });
  await createDatedBlog(testSite, ana, "For followers", 2, { private: true });
  const bothTitles = ["For followers", "Of a private account"];
  const followingTitles = async () => {
    const { blogs, pages } = await following(eve);
    expect(pages).toEqual({ count: 1 });
    return titles({ blogs });
  };
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  expect(await followingTitles(), "a request that waits").toEqual([]);
  await ana.api.social.handleRequest.mutate({ requesterId: eve.me.id, action: "accept" });
  expect(await followingTitles()).toEqual(bothTitles);
  await eve.api.users.updateSettings.mutate({ mutedWords: ["#owls"] });
  expect(await followingTitles(), "a muted tag").toEqual(["For followers"]);
  await eve.api.users.updateSettings.mutate({ mutedWords: [] });
  await eve.api.social.mute.mutate({ userId: ana.me.id, muted: true });
  expect(await followingTitles(), "muted").toEqual([]);
  await eve.api.social.mute.mutate({ userId: ana.me.id, muted: false });
  expect(await followingTitles()).toEqual(bothTitles);
  await ana.api.social.removeFollower.mutate({ userId: eve.me.id });
  expect(await followingTitles(), "dropped").toEqual([]);
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.handleRequest.mutate({ requesterId: eve.me.id, action: "accept" });
  expect(await followingTitles()).toEqual(bothTitles);
  await ana.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  expect(await followingTitles(), "blocked").toEqual([]);
});

test("lists blogs with followed tags in Following, each once, page by page, as in the personal feed", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, cem, eve] = (await residents(testSite, "Ana", "Ben", "Cem", "Eve")) as [
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
  ];
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const tagSets = [["owls"], ["owls", "moths"], ["moths"], []];
  const all: string[] = [];
  // More in a row of one tag than are read per step, and some with equal dates.
  for (let index = 0; index < 36; index++) {
    const author = index < 12 ? ben : [ana, ben, cem][index % 3]!;
    const tags = index < 12 ? tagSets[0]! : tagSets[index % 4]!;
    await createDatedBlog(testSite, author, `${index}`, Math.min(index, 33), { tags });
    if (author === ana || tags.length > 0) all.unshift(`${index}`);
  }
  await createDatedBlog(testSite, eve, "Her own", 40, { tags: ["owls"] });
  await createDatedBlog(testSite, ben, "For followers", 41, { tags: ["owls"], private: true });
  await createDatedBlog(testSite, ben, "A draft", 42, { tags: ["owls"], draft: true });
  await createDatedBlog(testSite, ben, "Of another tag", 43, { tags: ["two"] });
  expect((await following(eve)).tags).toEqual([]);
  await eve.api.users.updateSettings.mutate({ interests: ["owls", "two words", "moths"] });
  const readTitles: string[] = [];
  const pageCount = Math.ceil(all.length / 4);
  for (let page = 1; page <= pageCount; page++) {
    const list = await following(eve, page);
    expect(list).toMatchObject({ page, hasMore: page < pageCount, pages: { count: pageCount } });
    expect(list.tags).toEqual(["owls", "moths"]);
    readTitles.push(...titles(list));
  }
  // Three have the same date.
  expect(readTitles.slice(0, 3).toSorted()).toEqual(all.slice(0, 3).toSorted());
  expect(readTitles.slice(3)).toEqual(all.slice(3));
  const { address } = await eve.api.users.ownFeed.mutate({ password });
  const feed = await fetch(`${testSite.url}${address.slice(testSite.config.publicUrl.length)}/feed.json`);
  expect(titles({ blogs: ((await feed.json()) as { items: { title: string }[] }).items })).toEqual(
    readTitles.slice(0, 20),
  );
});

test("leaves blogs with a followed tag out of Following where the viewer cannot read them or muted their author", async () => {
  await using testSite = await startTestSite();
  const [boss, ana, eve] = (await residents(testSite, "Boss", "Ana", "Eve")) as [
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
  ];
  const { id } = await createDatedBlog(testSite, ana, "Of owls", 1, { tags: ["owls"] });
  const expectListed = async (isListed: boolean, message: string) => {
    const list = await following(eve);
    expect(titles(list), message).toEqual(isListed ? ["Of owls"] : []);
    expect(list, message).toMatchObject({ hasMore: false, pages: { count: 1 } });
  };
  const userId = ana.me.id;
  await expectListed(false, "no tag");
  await eve.api.users.updateSettings.mutate({ interests: ["owls"] });
  await expectListed(true, "followed");
  const changes: [string, (on: boolean) => Promise<unknown>][] = [
    ["a private blog", (on) => ana.api.blogs.update.mutate({ id, private: on })],
    ["a draft", (on) => ana.api.blogs.update.mutate({ id, draft: on })],
    ["without the tag", (on) => ana.api.blogs.update.mutate({ id, tags: on ? ["day"] : ["owls"] })],
    ["a private account", (on) => ana.api.users.updateSettings.mutate({ private: on })],
    ["a muted author", (on) => eve.api.social.mute.mutate({ userId, muted: on })],
    ["a muted tag", (on) => eve.api.users.updateSettings.mutate({ mutedWords: on ? ["#owls"] : [] })],
    ["a blocked author", (on) => eve.api.social.block.mutate({ userId, blocked: on })],
    ["a limited author", (on) => boss.api.moderation.limit.mutate({ userId, limited: on, reason: "Rude." })],
    ["an unfollowed tag", (on) => eve.api.users.updateSettings.mutate({ interests: on ? [] : ["owls"] })],
    [
      "a suspended author",
      (on) => boss.api.moderation.suspend.mutate({ userId, suspended: on, reason: "Spam." }),
    ],
  ];
  for (const [message, change] of changes) {
    await change(true);
    await expectListed(false, message);
    await change(false);
    await expectListed(true, `not ${message} any more`);
  }
});

test("fills and counts pages of Following without a tag's blogs by blocked, muted and limited authors", async () => {
  await using testSite = await startTestSite();
  const [boss, ana, ben, eve] = (await residents(testSite, "Boss", "Ana", "Ben", "Eve")) as [
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
  ];
  await createDatedBlog(testSite, ben, "Ben's", 1, { tags: ["owls"] });
  for (let day = 2; day <= 6; day++) await createDatedBlog(testSite, ana, "Ana's", day, { tags: ["owls"] });
  await eve.api.users.updateSettings.mutate({ interests: ["owls"] });
  const userId = ana.me.id;
  const expectOnlyBens = async () => {
    const list = await following(eve);
    expect([titles(list), list.hasMore, list.pages]).toEqual([["Ben's"], false, { count: 1 }]);
  };
  await eve.api.social.block.mutate({ userId, blocked: true });
  await expectOnlyBens();
  await eve.api.social.block.mutate({ userId, blocked: false });
  expect((await following(eve)).pages).toEqual({ count: 2 });
  await eve.api.social.mute.mutate({ userId, muted: true });
  await expectOnlyBens();
  await eve.api.social.mute.mutate({ userId, muted: false });
  await boss.api.moderation.limit.mutate({ userId, limited: true, reason: "Rude." });
  await expectOnlyBens();
});

test("lists an account's many blogs with a followed tag only while it is public, also before all rows are updated", async () => {
  await using testSite = await startTestSite();
  const [ana, eve] = (await residents(testSite, "Ana", "Eve")) as [SignedInBrowser, SignedInBrowser];
  await runStatements(
    testSite,
    insertBlogsSql(7, 1_500, ana.me.id),
    `update blogs set tags = '["owls"]' where author_id = '${ana.me.id}'`,
  );
  await eve.api.users.updateSettings.mutate({ interests: ["owls"] });
  const isPending = () => testSite.rows("select 1 from users where visibility_sync_pending = 1").length === 1;
  const shape = async () => {
    const { blogs, hasMore, pages } = await following(eve);
    return [blogs.length, hasMore, pages.count];
  };
  // The list ends after a thousand blogs.
  expect(await shape()).toEqual([4, true, 250]);
  for (const [isPrivate, expected] of [
    [true, [0, false, 1]],
    [false, [4, true, 250]],
  ] as const) {
    await ana.api.users.updateSettings.mutate({ private: isPrivate });
    expect(await shape()).toEqual(expected);
    await until(() => !isPending(), "the last row");
    expect(await shape()).toEqual(expected);
  }
});

test("counts the pages of the feed and of a tag for each reader", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = (await residents(testSite, "Ana", "Ben", "Eve")) as [
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
  ];
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const guest = testSite.browser();
  const pages = async ({ api }: Pick<SignedInBrowser, "api">, sort: "latest" | "likes" = "latest") =>
    (await api.blogs.list.query({ sort })).pages;
  expect(await pages(guest)).toEqual({ count: 1 });
  for (let index = 0; index < 8; index++)
    await createDatedBlog(testSite, ana, `${index}`, index, { tags: ["owls"] });
  await createDatedBlog(testSite, ana, "For followers", 9, { private: true });
  expect([await pages(guest), await pages(guest, "likes"), await pages(eve)]).toEqual([
    { count: 2 },
    { count: 2 },
    { count: 3 },
  ]);
  const owls = await guest.api.blogs.byTag.query({ tag: "owls" });
  expect(owls).toMatchObject({ count: 8, pages: { count: 2 } });
  await ben.api.social.mute.mutate({ userId: ana.me.id, muted: true });
  expect(await pages(ben)).toEqual({ count: 1 });
  expect([pagesOf(1_000, 1_000), pagesOf(1_001, 1_000)]).toEqual([
    { count: 250 },
    { count: 250, more: true },
  ]);
});

test("lists tags of several newest public blogs as topics in use, those of most people first", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = (await residents(testSite, "Ana", "Ben", "Eve")) as [
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
  ];
  const guest = testSite.browser();
  const topicsInUse = async ({ api }: Pick<SignedInBrowser, "api">) =>
    (await api.blogs.topicsInUse.query()).tags;
  expect(await topicsInUse(guest)).toEqual([]);
  for (let index = 0; index < 3; index++)
    await createDatedBlog(testSite, ana, `Bread ${index}`, index, { tags: ["bread", "css"] });
  for (const [index, author] of [ana, ben].entries())
    await createDatedBlog(testSite, author, "Owls", 5 + index, { tags: ["owls", "css"] });
  await createDatedBlog(testSite, ben, "Alone", 8, { tags: ["alone"] });
  for (const author of [ana, ben])
    await createDatedBlog(testSite, author, "Hidden", 9, { tags: ["secret"], private: true });
  for (const author of [ana, ben])
    await createDatedBlog(testSite, author, "Unfinished", 10, { tags: ["unfinished"], draft: true });
  // Standard topics are left out.
  expect(await topicsInUse(guest)).toEqual(["owls", "bread"]);
  await eve.api.users.updateSettings.mutate({ mutedWords: ["owls"] });
  expect(await topicsInUse(eve)).toEqual(["bread"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await topicsInUse(guest), "of an account that closed").toEqual([]);
});

test("renders the current topics in use into a guest's page after tags change elsewhere", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blogIds: string[] = [];
  for (let index = 0; index < 7; index++)
    blogIds.push((await createDatedBlog(testSite, ana, `Blog ${index}`, index)).id);
  const home = async () => (await fetch(`${testSite.url}/home`)).text();
  expect(await home()).not.toContain("#owls");
  // These blogs are on the second page.
  for (const id of blogIds.slice(0, 2)) await ana.api.blogs.update.mutate({ id, tags: ["owls"] });
  expect(await home()).toContain("#owls");
});

test("shows guests recently liked blogs and the newest comments, and nothing where there are none", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, cem, eve] = (await residents(testSite, "Ana", "Ben", "Cem", "Eve")) as [
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
    SignedInBrowser,
  ];
  const guest = testSite.browser();
  const shown = async () => guest.api.blogs.showcase.query();
  expect(await shown()).toMatchObject({ blogs: [], comments: [] });
  const hidden = await createDatedBlog(testSite, ana, "For followers", 1, { private: true });
  const mostLiked = await createDatedBlog(testSite, ana, "Liked most", 2);
  const discussed = await createDatedBlog(testSite, ana, "Talked about", 3);
  for (const author of [ana, ben, cem, eve, ana])
    await createDatedBlog(testSite, author, `Of ${author.me.name}`, 4);
  for (const person of [ben, cem, eve])
    await person.api.social.likeBlog.mutate({ blogId: mostLiked.id, liked: true });
  await ben.api.social.likeBlog.mutate({ blogId: discussed.id, liked: true });
  for (const text of ["One", "Two", "Three", "Four"])
    await ben.api.comments.create.mutate(aComment(discussed, { text }));
  const { blogs, comments } = await shown();
  expect(blogs[0]?.title).toBe("Talked about");
  expect(blogs).toHaveLength(5);
  expect(blogs.map(({ id }) => id)).not.toContain(hidden.id);
  expect(new Set(blogs.map(({ id }) => id)).size).toBe(5);
  expect(comments.map(({ text }) => text)).toEqual(["Four", "Three", "Two"]);
  await ana.api.comments.mark.mutate({ id: comments[0]!.id, mark: "hidden" });
  await ben.api.comments.remove.mutate({ id: comments[1]!.id });
  expect((await shown()).comments.map(({ text }) => text)).toEqual(["Two", "One"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  const afterwards = await shown();
  expect(afterwards.blogs.map(({ author }) => author.name)).not.toContain(ana.me.name);
  expect(afterwards).toMatchObject({ comments: [] });
});

// The plans of SQLite.
test.skipIf(isPostgres)(
  "looks up followed authors and tags, their blogs and new blogs in indexes only",
  async () => {
    await using testSite = await startTestSite();
    const { read } = testSite.app.services.database;
    const sqlite = (read.drizzle as unknown as { $client: Sqlite.Database }).$client;
    const prepare = sqlite.prepare.bind(sqlite);
    const sources: string[] = [];
    sqlite.prepare = (source: string) => {
      sources.push(source);
      return prepare(source);
    };
    const all = { ...followingStatements, ...showcaseStatements };
    for (const prepareStatement of Object.values(all)) prepareStatement(read);
    expect(sources).toHaveLength(Object.keys(all).length);
    const stepsOf = (fragment: string): string => {
      const source = sources.find((one) => one.includes(fragment)) ?? "";
      const parameters = Array.from({ length: source.split("?").length - 1 }, () => null);
      const steps = prepare(`explain query plan ${source}`).all(...parameters) as { detail: string }[];
      return steps.map(({ detail }) => detail).join("\n");
    };
    // Only the few blogs whose tags or likes are requested are read.
    expect(stepsOf("newest is not null")).toMatch(/SEARCH follows USING (COVERING )?INDEX/);
    expect(stepsOf("newest is not null")).toMatch(/SEARCH own USING COVERING INDEX blogs_written/);
    expect(stepsOf("(blogs.published_at, blogs.id) <")).toMatch(
      /^SEARCH blogs USING COVERING INDEX blogs_written \(author_id=\? AND \(published_at,id\)<\(\?,\?\)\)$/,
    );
    expect(stepsOf("(blog_tags.published_at, blog_tags.blog_seq) <")).toMatch(
      /^SEARCH blog_tags USING COVERING INDEX blog_tags_latest \(tag=\? AND \(published_at,blog_seq\)<\(\?,\?\)\)$/m,
    );
    expect(stepsOf("select distinct blog_tags.blog_seq")).toMatch(
      /SCAN followed_tag VIRTUAL TABLE[^]*SEARCH blog_tags USING COVERING INDEX blog_tags_latest \(tag=\? AND published_at<\?\)/,
    );
    for (const fragment of [
      "(blog_tags.published_at, blog_tags.blog_seq) <",
      "select distinct blog_tags.blog_seq",
    ])
      expect(stepsOf(fragment)).not.toMatch(/^SCAN (blogs|blog_tags)|ORDER BY/m);
    for (const fragment of ["comments_count", "how_many"]) {
      expect(stepsOf(fragment)).toMatch(/SEARCH blogs USING COVERING INDEX blogs_latest/);
      expect(stepsOf(fragment)).not.toMatch(/^SCAN (blogs|blog_tags)/m);
    }
  },
);
