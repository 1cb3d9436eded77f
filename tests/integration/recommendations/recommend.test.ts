import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { NewBlog } from "../../../src/shared/blogs.ts";
import { defaultGroups, defaultTopics } from "../../../src/shared/default-topics.ts";
import { parseGroups, parseTopics } from "../../../src/shared/interests.ts";
import type { RecommendedBlog } from "../../../src/shared/search.ts";
import { Interest } from "../../../src/shared/users.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { createBlog } from "../../../src/server/writing/service.ts";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { interestOf } from "../../../src/server/recommendations/interest.ts";
import { candidates } from "../../../src/server/recommendations/queries.ts";
import { recommendationProcedures } from "../../../src/server/recommendations/router.ts";
import { chooseBlogs, recommendBlogs } from "../../../src/server/recommendations/recommend.ts";
import { createCallerFactory, router } from "../../../src/server/http/trpc.ts";
import { addAccount } from "../../../src/server/sign-in/sign-up.ts";
import { updateUser } from "../../../src/server/profiles/queries.ts";
import { follow, removeFollower } from "../../../src/server/follows/service.ts";
import { likeBlog, saveBlog } from "../../../src/server/likes/service.ts";
import { updateSettings } from "../../../src/server/accounts/settings.ts";
import { aBlog, startTestSite, type TestSite } from "../../support/test-site.ts";

const createCaller = createCallerFactory(router({ recommended: recommendationProcedures.recommended }));
const day = 24 * 60 * 60 * 1000;

/** Adds a person who acts without a browser. */
async function person(testSite: TestSite, name: string, interests: string[] = []) {
  const { services } = testSite.app;
  const { id, username } = await addAccount(services, {
    name,
    email: `${name.toLowerCase()}@example.org`,
    password: "correct horse battery",
    isAdmin: false,
  });
  if (interests.length > 0) await services.database.write((tx) => updateUser(tx, id, { interests }));
  const ctx = actingAs(services, id);
  return {
    id,
    username,
    ctx,
    writes: async (title: string, change: Record<string, unknown> = {}, age = 1) =>
      (
        await createBlog(ctx, NewBlog.parse(aBlog({ title, description: "", tags: [], ...change })), {
          publishedAt: Date.now() - age * day,
        })
      ).id,
    follows: (other: { id: string }) => follow(ctx, { userId: other.id, follow: true }),
    likes: (blogId: string) => likeBlog(ctx, { blogId, liked: true }),
    saves: (blogId: string) => saveBlog(ctx, { blogId, saved: true }),
    recommended: async () => (await createCaller(ctx).recommended()).blogs,
  };
}

const titles = (blogs: RecommendedBlog[]) => blogs.map(({ title }) => title);
const reasonFor = (blogs: RecommendedBlog[], title: string) =>
  blogs.find((blog) => blog.title === title)?.why;

test("recommends blogs tagged with an interest first, then those with its words in title or description", async () => {
  await using testSite = await startTestSite();
  const ana = await person(testSite, "Ana");
  const cleo = await person(testSite, "Cleo");
  const dan = await person(testSite, "Dan");
  const ivy = await person(testSite, "Ivy", ["web development", "movies", "node js"]);
  await ana.writes("Flexbox at last", { tags: ["web-development"] }, 40);
  await cleo.writes("Grids", { tags: ["webdevelopment"] }, 41);
  await dan.writes("How I learnt Web Development", {}, 40);
  await cleo.writes("Notes", { description: "A node js diary" }, 40);
  await ana.writes("A year in the dark", { tags: ["movie"] }, 42);
  await dan.writes("Streams", { tags: ["node.js"] }, 43);
  for (let index = 0; index < 6; index++)
    await (
      await person(testSite, `Other${index}`)
    ).writes(`Newer, of nothing in particular ${index}`, { tags: ["web", "development-aid"] }, 30);
  const blogs = await ivy.recommended();
  expect(titles(blogs).slice(0, 4).toSorted()).toEqual([
    "A year in the dark",
    "Flexbox at last",
    "Grids",
    "Streams",
  ]);
  expect(titles(blogs).slice(4, 6)).toEqual(["How I learnt Web Development", "Notes"]);
  expect(blogs).toHaveLength(8);
  expect(reasonFor(blogs, "Flexbox at last")).toEqual({ kind: "interest", interest: "web development" });
  expect(reasonFor(blogs, "Grids")).toEqual({ kind: "interest", interest: "web development" });
  expect(reasonFor(blogs, "A year in the dark")).toEqual({ kind: "interest", interest: "movies" });
  expect(reasonFor(blogs, "Streams")).toEqual({ kind: "interest", interest: "node js" });
  expect(blogs.at(-1)?.why).toEqual({ kind: "fresh" });
});

test("matches an interest as a whole word", () => {
  const weight = (interest: string, blog: { title?: string; description?: string; tags?: string[] }) =>
    interestOf(interest)?.weightIn({ title: "", description: "", tags: [], ...blog }) ?? null;
  expect(weight("java", { tags: ["javascript"], title: "JavaScript" })).toBe(0);
  expect(weight("java", { tags: ["java"] })).toBeGreaterThan(weight("java", { title: "Learning Java" }) ?? 0);
  expect(weight("java", { title: "Learning Java" })).toBeGreaterThan(
    weight("java", { description: "Learning Java" }) ?? 0,
  );
  expect(weight("rust", { tags: ["rust-lang"] })).toBeGreaterThan(0);
  expect(weight("nodejs", { tags: ["node.js"] })).toBe(weight("node js", { tags: ["nodejs"] }));
  expect(weight("c++", { tags: ["c"] })).toBe(0);
  expect(weight("c++", { tags: ["c++"] })).toBeGreaterThan(0);
  expect(weight("crème brûlée", { tags: ["creme-brulee"] })).toBeGreaterThan(0);
  expect(weight("(a+)+$", { title: "aaa" })).toBe(0);
  expect(interestOf("🎉")).toBeNull();
});

test("recommends blogs by followed people and blogs they like, and says so", async () => {
  await using testSite = await startTestSite();
  const ana = await person(testSite, "Ana");
  const bob = await person(testSite, "Bob");
  const cleo = await person(testSite, "Cleo");
  const ivy = await person(testSite, "Ivy");
  await cleo.writes("Unknown to all", {}, 2);
  const likedBlogId = await cleo.writes("Liked by Bob", {}, 60);
  await ana.writes("By Ana", {}, 60);
  await ana.writes("By Ana, for followers", { private: true }, 61);
  await bob.likes(likedBlogId);
  expect((await ivy.recommended()).map(({ why }) => why.kind)).toEqual(["fresh", "fresh", "fresh"]);
  await ivy.follows(ana);
  await ivy.follows(bob);
  const blogs = await ivy.recommended();
  expect(titles(blogs)).toEqual(["By Ana", "By Ana, for followers", "Liked by Bob", "Unknown to all"]);
  expect(reasonFor(blogs, "By Ana")).toEqual({
    kind: "following",
    person: { id: ana.id, username: ana.username, name: "Ana", picture: null },
  });
  expect(reasonFor(blogs, "Liked by Bob")).toMatchObject({
    kind: "liked-by",
    person: { username: bob.username },
  });
  await updateSettings(bob.ctx, { showLikedBlogs: false });
  expect(reasonFor(await ivy.recommended(), "Liked by Bob")).toEqual({ kind: "fresh" });
  await removeFollower(ana.ctx, { userId: ivy.id });
  const after = await ivy.recommended();
  expect(titles(after)).not.toContain("By Ana, for followers");
  expect(reasonFor(after, "By Ana")).toEqual({ kind: "fresh" });
});

test("recommends no own, liked, saved or inaccessible blogs", async () => {
  await using testSite = await startTestSite();
  const ana = await person(testSite, "Ana");
  const shy = await person(testSite, "Shy");
  const ivy = await person(testSite, "Ivy", ["chess"]);
  const tags = ["chess"];
  await ivy.writes("My own", { tags });
  await ivy.likes(await ana.writes("Liked", { tags }));
  await ivy.saves(await ana.writes("Saved", { tags }));
  await ana.writes("A draft", { tags, draft: true });
  await ana.writes("Private", { tags, private: true });
  await updateSettings(shy.ctx, { private: true });
  const hiddenBlogId = await shy.writes("Of a private account", { tags });
  await ana.follows(shy);
  await shy.likes(hiddenBlogId);
  await ivy.follows(ana);
  expect(titles(await ivy.recommended())).toEqual(["Private"]);
  await removeFollower(ana.ctx, { userId: ivy.id });
  expect(await ivy.recommended()).toEqual([]);
  await ana.writes("Open", { tags });
  expect(titles(await ivy.recommended())).toEqual(["Open"]);
  await expect(createCaller({ ...ivy.ctx, viewer: null }).recommended()).rejects.toThrow("sign in");
});

test("prefers the newer of equal matches, mixes authors, and returns at most eight, always the same", async () => {
  await using testSite = await startTestSite();
  const ivy = await person(testSite, "Ivy", ["chess", "baking"]);
  const ana = await person(testSite, "Ana");
  for (let age = 1; age <= 9; age++) await ana.writes(`Chess ${age}`, { tags: ["chess"] }, age);
  const others = await Promise.all(["Bob", "Cleo", "Dan"].map((name) => person(testSite, name)));
  for (const [index, other] of others.entries())
    await other.writes(`Old chess ${index}`, { tags: ["chess"] }, 100 + index);
  await others[0]?.writes("Chess while baking", { tags: ["baking", "chess"] }, 20);
  const now = Date.now();
  const first = await recommendBlogs(ivy.ctx);
  expect(titles(first.blogs)).toEqual([
    "Chess 1",
    "Chess while baking",
    "Chess 2",
    "Old chess 0",
    "Old chess 1",
    "Old chess 2",
    "Chess 3",
    "Chess 4",
  ]);
  const choose = () => chooseBlogs(ivy.ctx.database.read, ivy.ctx.viewer.id, now);
  expect(await choose()).toEqual(await choose());
  expect((await choose()).map(([id]) => id)).toEqual(first.blogs.map(({ id }) => id));
});

test("caches recommendations until something relevant to them changes", async () => {
  await using testSite = await startTestSite();
  const [ana, bob] = [await person(testSite, "Ana"), await person(testSite, "Bob")];
  const ivy = await person(testSite, "Ivy", ["chess"]);
  await ivy.follows(bob);
  const id = await ana.writes("Chess", { tags: ["chess"] });
  const first = await ivy.recommended();
  const cached = ivy.ctx.sharedReads.get(ivy.id);
  expect(cached).toBeDefined();
  expect(await ivy.recommended()).toEqual(first);
  expect(ivy.ctx.sharedReads.get(ivy.id)).toBe(cached);
  await ana.writes("More chess", { tags: ["chess"] });
  expect(titles(await ivy.recommended())).toEqual(["More chess", "Chess"]);
  await bob.likes(id);
  expect(reasonFor(await ivy.recommended(), "Chess")?.kind).toBe("interest");
  expect(titles(await ivy.recommended())).toEqual(["Chess", "More chess"]);
  await ivy.likes(id);
  expect(titles(await ivy.recommended())).toEqual(["More chess"]);
  await updateSettings(ana.ctx, { private: true });
  expect(await ivy.recommended()).toEqual([]);
  await updateSettings(ivy.ctx, { interests: [] });
  expect(ivy.ctx.sharedReads.get(ivy.id)).toBeUndefined();
});

test.skipIf(isPostgres)("reads each list of candidates along an index", async () => {
  await using testSite = await startTestSite();
  const { database } = testSite.app.services;
  const sqlite = new Sqlite(database.file, { readonly: true });
  for (const [name, build] of Object.entries(candidates)) {
    const { sql, params } = build(database.read).getQuery();
    const plan = sqlite
      .prepare(`explain query plan ${sql}`)
      .all(params.map((value) => (typeof value === "object" ? null : value))) as { detail: string }[];
    const scans = plan
      .map(({ detail }) => detail)
      .filter((detail) => /^SCAN (blogs|users|follows|liker|liked|own|blog_|tags)/.test(detail))
      // Whether any account is suspended: one step, once per statement.
      .filter((detail) => detail !== "SCAN users USING INDEX users_suspended");
    // 192: from the end of the rowids, up to the limit. `>`: as far as 0, below which are entries.
    expect(scans.map((scan) => scan.replace(/M\d>$/, "M>"))).toEqual(
      {
        newest: ["SCAN blogs USING INDEX blogs_latest"],
        byWords: ["SCAN blog_words VIRTUAL TABLE INDEX 192:M>"],
      }[name] ?? [],
    );
    expect(plan.filter(({ detail }) => detail.includes("TEMP B-TREE")).length).toBe(
      name === "byFollowed" ? 1 : 0,
    );
  }
  sqlite.close();
});

test("offers many distinct topics that can be stored as interests", () => {
  const interestGroups = parseGroups(defaultGroups);
  expect(interestGroups.map(({ name }) => name)).toEqual([
    "Tech & Development",
    "Creative Arts",
    "Lifestyle & Wellness",
    "Entertainment & Media",
    "Sports & Outdoors",
    "Academics & Learning",
    "Business & Finance",
    "Causes & Society",
    "Hobbies & Fun",
  ]);
  for (const { topics } of interestGroups) {
    expect(topics.length).toBeGreaterThanOrEqual(10);
    expect(topics.length).toBeLessThanOrEqual(23);
  }
  const all = interestGroups.flatMap(({ topics }) => topics);
  expect(new Set(all.map((topic) => Interest.parse(topic))).size).toBe(all.length);
  expect(all).toEqual(
    expect.arrayContaining([
      "Web Development",
      "Fitness",
      "Movies",
      "Football",
      "Chess",
      ...parseTopics(defaultTopics),
    ]),
  );
  for (const topic of all) expect([topic, interestOf(topic.toLowerCase())]).not.toEqual([topic, null]);
});
