import type Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import type { Further } from "../../../src/shared/further.ts";
import { NewBlog } from "../../../src/shared/blogs.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { candidates } from "../../../src/server/recommendations/further-queries.ts";
import { createBlog } from "../../../src/server/writing/service.ts";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";

const day = 24 * 60 * 60 * 1000;
const titles = ({ blogs }: Further, ...places: string[]) =>
  blogs.filter(({ place }) => places.includes(place)).map(({ title }) => title);

/** Creates a blog published this many days ago. */
const createDatedBlog = async (
  testSite: TestSite,
  author: SignedInBrowser,
  title: string,
  age: number,
  change = {},
) =>
  createBlog(
    actingAs(testSite.app.services, author.me.id),
    NewBlog.parse(aBlog({ title, description: "", tags: [], ...change })),
    { publishedAt: Date.now() - age * day },
  );

test("links the author's previous and next blog that the reader may read", async () => {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  await createDatedBlog(testSite, ana, "Five days ago", 5);
  await createDatedBlog(testSite, ana, "For followers", 4, { private: true });
  const { id } = await createDatedBlog(testSite, ana, "Three days ago", 3);
  await createDatedBlog(testSite, ana, "A draft", 2, { draft: true });
  await createDatedBlog(testSite, ana, "One day ago", 1);
  await createDatedBlog(testSite, ana, "Today", 0);
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const neighbourTitles = async ({ api }: Pick<SignedInBrowser, "api">) => {
    const further = await api.blogs.further.query({ id });
    return [...titles(further, "previous"), "|", ...titles(further, "next")];
  };
  expect(await neighbourTitles(testSite.browser())).toEqual(["Five days ago", "|", "One day ago"]);
  expect(await neighbourTitles(ben)).toEqual(["Five days ago", "|", "One day ago"]);
  expect(await neighbourTitles(eve)).toEqual(["For followers", "|", "One day ago"]);
  expect(await neighbourTitles(ana)).toEqual(["For followers", "|", "One day ago"]);
  await ben.api.social.mute.mutate({ userId: ana.me.id, muted: true });
  expect(await neighbourTitles(ben)).toEqual(["|"]);
});

test("recommends blogs with a rare tag, a title word or readers in common, one of each author first", async () => {
  const [testSite, ana, ben, cleo, dan, eve] = await siteWith("Ana", "Ben", "Cleo", "Dan", "Eve");
  const { id } = await createDatedBlog(testSite, ana, "Lighthouses of the north", 9, {
    tags: ["life", "lighthouse"],
  });
  await createDatedBlog(testSite, ben, "On tending a lamp", 200, { tags: ["lighthouse"] });
  await createDatedBlog(testSite, ben, "The second lamp", 300, { tags: ["lighthouse"] });
  await createDatedBlog(testSite, cleo, "My lighthouses", 210);
  const likedBlog = await createDatedBlog(testSite, dan, "Bread", 220);
  // Newer, but without a rare tag.
  for (let count = 0; count < 12; count++)
    await createDatedBlog(testSite, eve, `A day ${count}`, 1, count % 2 ? { tags: ["life"] } : {});
  for (const { api } of [cleo, eve])
    for (const blogId of [id, likedBlog.id]) await api.social.likeBlog.mutate({ blogId, liked: true });
  const guest = testSite.browser();
  const related = async (api: SignedInBrowser["api"], without: string[] = []) =>
    titles(await api.blogs.further.query({ id, without }), "related");
  expect((await related(guest.api)).toSorted()).toEqual(["Bread", "My lighthouses", "On tending a lamp"]);
  // Read, liked and own blogs give way to the next.
  expect(await related(guest.api, [likedBlog.id])).not.toContain("Bread");
  expect(await related(guest.api, [likedBlog.id])).toHaveLength(3);
  expect(await related(eve.api)).not.toContain("Bread");
  expect(await related(dan.api)).not.toContain("Bread");
  // Hidden likes do not count.
  await cleo.api.users.updateSettings.mutate({ showLikedBlogs: false });
  await eve.api.users.updateSettings.mutate({ showLikedBlogs: false });
  await ana.api.blogs.update.mutate({ id, description: "Anew." });
  await expect.poll(async () => (await related(guest.api)).includes("Bread")).toBe(false);
});

test("leaves blocked and muted authors, muted words and unreadable blogs out of related blogs", async () => {
  const [testSite, ana, ben, cleo, dan, eve] = await siteWith("Ana", "Ben", "Cleo", "Dan", "Eve");
  const tags = ["lighthouse"];
  const { id } = await createDatedBlog(testSite, ana, "Lamps", 9, { tags });
  await createDatedBlog(testSite, ben, "By Ben", 8, { tags });
  await createDatedBlog(testSite, cleo, "By Cleo", 7, { tags });
  await createDatedBlog(testSite, dan, "For followers of Dan", 6, { tags, private: true });
  const storm = await createDatedBlog(testSite, dan, "A storm", 5, { tags });
  const related = async () => titles(await eve.api.blogs.further.query({ id }), "related").toSorted();
  expect(await related()).toEqual(["A storm", "By Ben", "By Cleo"]);
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect(await related()).toEqual(["A storm", "By Cleo"]);
  await eve.api.social.mute.mutate({ userId: cleo.me.id, muted: true });
  expect(await related()).toEqual(["A storm"]);
  await eve.api.users.updateSettings.mutate({ mutedWords: ["storm"] });
  expect(await related()).toEqual([]);
  await eve.api.users.updateSettings.mutate({ mutedWords: [] });
  expect(await related()).toEqual(["A storm"]);
  // Also in a cached result.
  await dan.api.blogs.update.mutate({ id: storm.id, private: true });
  expect(await related()).toEqual([]);
  await eve.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await expect(eve.api.blogs.further.query({ id })).rejects.toMatchObject({ data: { code: "NOT_FOUND" } });
});

test("lists all authors of a blog with the reader's relation to each, without blocked ones", async () => {
  const [, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  await eve.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  const { authors } = await eve.api.blogs.further.query({ id });
  expect(authors.map(({ name, follow }) => [name, follow])).toEqual([
    [ana.me.name, "follow"],
    [ben.me.name, "following"],
  ]);
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect((await eve.api.blogs.further.query({ id })).authors.map(({ name }) => name)).toEqual([ana.me.name]);
});

test.skipIf(isPostgres)("looks up candidates in indexes only", async () => {
  await using testSite = await startTestSite();
  const { read } = testSite.app.services.database;
  const sqlite = (read.drizzle as unknown as { $client: Sqlite.Database }).$client;
  const statements: string[] = [];
  const prepare = sqlite.prepare.bind(sqlite);
  sqlite.prepare = (source: string) => {
    statements.push(source);
    return prepare(source);
  };
  for (const build of Object.values(candidates)) build(read);
  expect(statements).toHaveLength(Object.keys(candidates).length);
  for (const source of statements) {
    const parameters = Array.from({ length: source.split("?").length - 1 }, () => null);
    const steps = prepare(`explain query plan ${source}`).all(...parameters) as { detail: string }[];
    for (const { detail } of steps.filter(({ detail: step }) => /blog|likes|users/.test(step)))
      expect(detail).toMatch(
        /USING (COVERING )?INDEX|VIRTUAL TABLE INDEX|^SCAN (some|likers)|^CO-ROUTINE|SUBQUERY/,
      );
    expect(steps.some(({ detail }) => detail.includes("TEMP B-TREE"))).toBe(false);
  }
});
