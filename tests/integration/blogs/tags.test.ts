import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { maxCountedBlogs } from "../../../src/shared/tags.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import {
  aBlog,
  followTopics,
  startTestSite,
  type Client,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* Lists of blogs by tag. Ana and Ben write, Eve reads, Boss administers. */

let testSite: TestSite;
let boss: SignedInBrowser;
let ana: SignedInBrowser;
let ben: SignedInBrowser;
let eve: SignedInBrowser;

beforeEach(async () => {
  testSite = await startTestSite();
  boss = await testSite.createAccount("Boss");
  [ana, ben, eve] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Ben"),
    await testSite.createAccount("Eve"),
  ];
});
afterEach(() => testSite[Symbol.asyncDispose]());

const titles = async (
  who: { api: Client },
  tag: string,
  more: { sort?: "latest" | "likes"; page?: number } = {},
) => {
  const { blogs, count } = await who.api.blogs.byTag.query({ tag, ...more });
  return [count, ...blogs.map(({ title }) => title)];
};
const publish = (who: SignedInBrowser, title: string, more: Record<string, unknown> = {}) =>
  who.api.blogs.create.mutate(aBlog({ title, ...more }));
const page = (path: string, cookie = "") =>
  fetch(testSite.url + path, { headers: { cookie }, redirect: "manual" });

test("lists and counts the blogs of a tag by date or likes, in pages", async () => {
  const first = await publish(ana, "First");
  for (const title of ["Second", "Third", "Fourth", "Fifth"]) await publish(ben, title);
  await publish(ben, "Other", { tags: ["day", "nightly"] });
  await eve.api.social.likeBlog.mutate({ blogId: first.id, liked: true });
  const guest = testSite.browser();
  expect(await titles(guest, "night")).toEqual([5, "Fifth", "Fourth", "Third", "Second"]);
  expect(await titles(guest, "night", { page: 2 })).toEqual([5, "First"]);
  expect(await titles(guest, "night", { sort: "likes" })).toEqual([5, "First", "Fifth", "Fourth", "Third"]);
  expect(await titles(guest, "day")).toEqual([1, "Other"]);
  expect(await titles(guest, "  NIGHT ")).toHaveLength(5);
  expect(await titles(guest, "nowhere")).toEqual([0]);
  for (const tag of ["", "two words", "x".repeat(31), "\u0000", ".", " .. "])
    await expectRefusal(guest.api.blogs.byTag.query({ tag }), "BAD_REQUEST");
});

test("lists a blog under its current tags for those who may read it", async () => {
  const { id } = await publish(ana, "One", { tags: ["night", "owls"] });
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const countsFor = async (tag: string) =>
    Promise.all([testSite.browser(), ben, eve, ana].map(async (who) => (await titles(who, tag))[0]));
  expect(await countsFor("night")).toEqual([1, 1, 1, 1]);
  await ana.api.blogs.update.mutate({ id, tags: ["owls", "birds"] });
  expect([await countsFor("night"), await countsFor("birds"), await countsFor("owls")]).toEqual([
    [0, 0, 0, 0],
    [1, 1, 1, 1],
    [1, 1, 1, 1],
  ]);
  await ana.api.blogs.update.mutate({ id, private: true });
  expect(await countsFor("owls")).toEqual([0, 0, 1, 1]);
  await ana.api.blogs.update.mutate({ id, draft: true });
  expect(await countsFor("owls")).toEqual([0, 0, 0, 0]);
  await ana.api.blogs.update.mutate({ id, draft: false, private: false });
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await countsFor("owls")).toEqual([0, 0, 1, 1]);
  await ana.api.users.updateSettings.mutate({ private: false });
  expect(await countsFor("owls")).toEqual([1, 1, 1, 1]);
  const userId = ana.me.id;
  await boss.api.moderation.limit.mutate({ userId, limited: true, reason: "Rude." });
  expect(await countsFor("owls")).toEqual([0, 0, 1, 1]);
  await boss.api.moderation.limit.mutate({ userId, limited: false });
  await boss.api.moderation.suspend.mutate({ userId, suspended: true, reason: "Spam." });
  expect((await countsFor("owls")).slice(0, 3)).toEqual([0, 0, 0]);
  await boss.api.moderation.suspend.mutate({ userId, suspended: false });
  await boss.api.moderation.report.mutate({ kind: "blog", id, reason: "other" });
  await boss.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason: "Spam." });
  expect((await titles(eve, "owls"))[0]).toBe(0);
});

test("leaves blocked and muted people and muted words out of the viewer's lists", async () => {
  await publish(ana, "By Ana");
  await publish(ben, "By Ben");
  await eve.api.social.mute.mutate({ userId: ana.me.id, muted: true });
  expect(await titles(eve, "night")).toEqual([1, "By Ben"]);
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect(await titles(eve, "night")).toEqual([0]);
  expect(await titles(ben, "night")).toEqual([2, "By Ben", "By Ana"]);
  await eve.api.social.mute.mutate({ userId: ana.me.id, muted: false });
  await eve.api.users.updateSettings.mutate({ mutedWords: ["#night"] });
  expect((await titles(eve, "night")).slice(1)).toEqual([]);
});

test("counts at most a thousand blogs of a tag", async () => {
  await publish(ana, "One");
  await testSite.run(`insert into blogs (id, slug, author_id, title, description, tags, document, html, text, excerpt, words,
      reading_minutes, draft, private, is_public, created_at, published_at)
      select 'n' || value, 'n' || value, '${ana.me.id}', 'N', '', '["night"]', '{}', '', '', '', 0, 1, 0, 0, 1, 1, 1
      from (with recursive n(value) as (select 1 union all select value + 1 from n where value < 1200) select value from n) as numbers`);
  expect((await titles(testSite.browser(), "night"))[0]).toBe(maxCountedBlogs + 1);
  expect(await (await page("/tag/night")).text()).toContain("More than 1,000 blogs");
});

test("shows a tag's page at its canonical address, and answers 404 with noindex for an unused tag", async () => {
  await publish(ana, "Only one", { tags: ["c++"] });
  const response = await page("/tag/c%2B%2B");
  const html = await response.text();
  expect(response.status).toBe(200);
  for (const text of [
    ">#c++</h1>",
    "1 blog",
    "Only one",
    'rel="canonical" href="http://localhost:0/tag/c%2B%2B"',
  ])
    expect(html).toContain(text);
  expect(html).toContain('title="#c++ · Reprise" href="http://localhost:0/tag/c%2B%2B/feed.xml"');
  const notFound = await page("/tag/nothing");
  expect(notFound.status).toBe(404);
  const body = await notFound.text();
  for (const text of ["No blog has the tag nothing yet", 'content="noindex"', ">Follow</button>"])
    expect(body).toContain(text);
  expect(body).not.toContain("/tag/nothing/feed.xml");
  // A follower of the tag gets a page.
  await eve.api.users.updateSettings.mutate({ interests: ["nothing"] });
  const followedPage = await page("/tag/nothing", eve.cookie);
  expect(followedPage.status).toBe(200);
  expect(await followedPage.text()).toContain(">Following</button>");
  expect((await page("/tag/nothing")).status).toBe(404);
  await publish(ana, "Odd", { tags: ["a/b%2f?#"] });
  expect(await (await page("/tag/a%2Fb%252f%3F%23")).text()).toContain("#a/b%2f?#</h1>");
  for (const [from, to] of [
    ["/tag/C%2B%2B?sort=likes", "/tag/c%2B%2B?sort=likes"],
    ["/tag/%20c%2B%2B", "/tag/c%2B%2B"],
  ] as const) {
    const answer = await page(from);
    expect([answer.status, answer.headers.get("location")]).toEqual([301, to]);
  }
  for (const path of ["/tag/two%20words", "/tag/", "/tag"]) expect((await page(path)).status, path).toBe(404);
});

test("renders a cached tag page again when a blog comes or goes", async () => {
  const { id } = await publish(ana, "One");
  const shownTitles = async () =>
    [...(await (await page("/tag/night")).text()).matchAll(/>(One|Two)<\/a>/g)].map(([, title]) => title);
  const before = await shownTitles();
  expect(new Set(before)).toEqual(new Set(["One"]));
  await publish(ben, "Two");
  expect(new Set(await shownTitles())).toEqual(new Set(["One", "Two"]));
  await ana.api.blogs.update.mutate({ id, tags: ["day"] });
  expect(new Set(await shownTitles())).toEqual(new Set(["Two"]));
});

test("links an article's tags to their pages", async () => {
  const { slug } = await publish(ana, "One", { tags: ["c++"] });
  expect(await (await page(`/blog/${slug}`)).text()).toContain('href="/tag/c%2B%2B"');
});

test("publishes the old and new tags of a changed blog to open pages", async () => {
  const stream = followTopics(testSite.browser(), ["search"]);
  await stream.waitForStart();
  const { id } = await publish(ana, "One", { tags: ["night", "owls"] });
  await stream.waitFor("search.blogs", 1);
  await ana.api.blogs.update.mutate({ id, tags: ["day"] });
  await stream.waitFor("search.blogs", 2);
  await ana.api.users.updateSettings.mutate({ private: true });
  await stream.waitFor("search.blogs", 3);
  expect(stream.events("search.blogs").map(({ tags }) => tags?.sort() ?? null)).toEqual([
    ["night", "owls"],
    ["day", "night", "owls"],
    null,
  ]);
  stream.stop();
});

test("recommends blogs with a followed tag", async () => {
  for (let count = 0; count < 9; count++) await publish(ben, `Something else ${count}`, { tags: ["other"] });
  const { id } = await publish(ana, "Hum", { tags: ["bees"] });
  await eve.api.users.updateSettings.mutate({ interests: ["bees"] });
  const { blogs } = await eve.api.blogs.recommended.query();
  expect(blogs[0]).toMatchObject({ id, why: { kind: "interest", interest: "bees" } });
});

test("refuses the tags . and .., which no address can have, and hides those of older blogs", async () => {
  for (const tag of [".", ".."])
    await expectRefusal(publish(ana, "Dots", { tags: ["owls", tag] }), {
      code: "BAD_REQUEST",
      field: "tags",
      message: "A tag can’t be just one or two dots.",
    });
  await publish(ana, "Three dots", { tags: ["..."] });
  expect((await page("/tag/...")).status).toBe(200);
  const { id, slug } = await publish(ana, "Older", { tags: ["owls"] });
  const other = await publish(ben, "Also older", { tags: ["owls"] });
  await testSite.write(async (tx) => {
    for (const blog of [id, other.id])
      await execute(tx, sql`update blogs set tags = '["..", ".", "owls"]' where id = ${blog}`);
  });
  expect((await eve.api.blogs.bySlug.query({ slug })).tags).toEqual(["owls"]);
  expect((await ana.api.blogs.forEdit.query({ slug })).tags).toEqual(["owls"]);
  expect((await eve.api.blogs.topicsInUse.query()).tags).toEqual(["owls"]);
  for (const path of [`/blog/${slug}`, "/home", "/search?q=older"])
    expect(await (await page(path)).text(), path).not.toMatch(/"[^"]*\/tag\/\.{1,2}"/);
  expect(await (await page("/feed.xml")).text()).not.toMatch(/<category>\.{1,2}</);
  const map = await (await page("/sitemap.xml")).text();
  expect(map.match(/(?<=\/tag\/)[^<]*/g)?.toSorted()).toEqual(["...", "owls"]);
  await ana.api.blogs.update.mutate({ id, title: "Older still", tags: ["owls", "night"] });
  expect(
    testSite.rows(`select tag from blog_tags join blogs on seq = blog_seq where id = '${id}' order by tag`),
  ).toEqual([{ tag: "night" }, { tag: "owls" }]);
});

test.each(["feed.xml", "atom.xml", "feed.json"])("has a page and feeds for the tag %s", async (tag) => {
  await publish(ana, "On feeds", { tags: [tag] });
  for (const cookie of ["", eve.cookie]) {
    const answer = await page(`/tag/${tag}`, cookie);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await answer.text()).toContain("On feeds");
  }
  const feed = await page(`/tag/${tag}/feed.json`);
  expect(await feed.json()).toMatchObject({ items: [{ title: "On feeds" }] });
});
