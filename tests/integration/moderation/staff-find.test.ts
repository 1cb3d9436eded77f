import { expect, test } from "vitest";
import {
  findForStaff,
  type StaffSearchResult,
  type StaffSearch,
} from "../../../src/server/database/staff-search.ts";
import { openSqlite } from "../../../src/server/database/sqlite.ts";
import { searchWords } from "../../../src/server/search/words.ts";
import {
  aBlog,
  aComment,
  followTopic,
  paragraphs,
  refusal,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";

/* What moderators find without a report, and what they do about it. */

type BlogFilter = Parameters<SignedInBrowser["api"]["moderation"]["blogs"]["query"]>[0];
const titles = async (person: SignedInBrowser, filter: BlogFilter = {}) =>
  (await person.api.moderation.blogs.query(filter)).blogs.map(({ title }) => title);
const texts = async (person: SignedInBrowser, filter: Omit<BlogFilter, "state"> = {}) =>
  (await person.api.moderation.comments.query(filter)).comments.map(({ text }) => text);
const logOf = async (person: SignedInBrowser) =>
  (await person.api.moderation.log.query({})).entries.map(({ actor, act, name, reason }) =>
    [actor, act, name, reason].filter(Boolean).join(" | "),
  );
const hide = (person: SignedInBrowser, id: string, reason: string) =>
  person.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason });

test("lists public and taken-down blogs to moderators, newest first, but no drafts and private blogs", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { mona, ana, ben } = site;
  const first = await ana.api.blogs.create.mutate(aBlog({ title: "First owls" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "A draft", draft: true }));
  await ana.api.blogs.create.mutate(aBlog({ title: "For followers", private: true }));
  const second = await ben.api.blogs.create.mutate(
    aBlog({ title: "Second", document: paragraphs("Of owls at night.") }),
  );
  await ben.api.blogs.create.mutate(aBlog({ title: "Third", document: paragraphs("Of bread.") }));
  expect(await titles(mona)).toEqual(["Third", "Second", "First owls"]);
  expect(await titles(mona, { query: "owls" })).toEqual(["Second", "First owls"]);
  expect(await titles(mona, { query: "follow" })).toEqual([]);
  expect(await titles(mona, { query: "???" })).toEqual([]);
  for (const author of ["winter", `@${ana.me.username}`, `@${ana.me.username.toUpperCase()}`])
    expect(await titles(mona, { by: author })).toEqual(["First owls"]);
  expect(await titles(mona, { by: "nobody at all" })).toEqual([]);
  expect(await titles(mona, { by: "@ana" })).toEqual([]);
  expect(await titles(mona, { query: "owls", by: "ben" })).toEqual(["Second"]);
  await hide(mona, second.id, "It advertises.");
  expect(await titles(mona)).toEqual(["Third", "Second", "First owls"]);
  expect(await titles(mona, { state: "public" })).toEqual(["Third", "First owls"]);
  for (const filter of [{}, { by: "ben" }, { query: "owls" }])
    expect((await mona.api.moderation.blogs.query({ state: "taken-down", ...filter })).blogs).toMatchObject([
      {
        id: second.id,
        takedownReason: "It advertises.",
        address: null,
        author: { id: ben.me.id },
        mayAct: true,
      },
    ]);
  expect(await mona.api.moderation.blogs.query({ by: "winter" })).toMatchObject({
    blogs: [{ id: first.id, takedownReason: null, address: `/blog/${first.slug}` }],
    after: null,
  });
  await ana.api.users.updateSettings.mutate({ private: true });
  for (const filter of [{}, { by: "winter" }, { query: "owls" }])
    expect(await titles(mona, filter)).not.toContain("First owls");
  expect(await refusal(mona.api.moderation.readBlog.query({ blogId: first.id }))).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("shows moderators the blogs and comments of limited and suspended people without public pages", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { mona, ana, ben } = site;
  const blog = await ana.api.blogs.create.mutate(
    aBlog({ title: "Quiet", document: paragraphs("What nobody sees now.") }),
  );
  const bensBlog = await ben.api.blogs.create.mutate(aBlog({ title: "His" }));
  await ana.api.comments.create.mutate(aComment(bensBlog, { text: "A loud word" }));
  const userId = ana.me.id;
  for (const restrict of [
    () => mona.api.moderation.limit.mutate({ userId, limited: true }),
    () => mona.api.moderation.suspend.mutate({ userId, suspended: true, reason: "Spam." }),
  ]) {
    await restrict();
    expect((await mona.api.moderation.blogs.query({ by: "winter" })).blogs).toMatchObject([
      { id: blog.id, address: null, beginning: "What nobody sees now." },
    ]);
    expect((await mona.api.moderation.comments.query({ query: "LOUD" })).comments).toMatchObject([
      { text: "A loud word", address: null, author: { id: userId } },
    ]);
    expect(await mona.api.moderation.readBlog.query({ blogId: blog.id })).toMatchObject({
      title: "Quiet",
      text: "What nobody sees now.",
    });
  }
});

test("continues a list where its last page ended, whatever was added since", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { mona, ana, ben } = site;
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls 0" }));
  for (let count = 1; count <= 22; count++) {
    await ana.api.blogs.create.mutate(aBlog({ title: `Owls ${count}` }));
    await (count % 2 ? ana : ben).api.comments.create.mutate(aComment(blog, { text: `A word ${count}` }));
  }
  const numberedTexts = (word: string, first: number, last: number) =>
    Array.from({ length: first - last + 1 }, (_, index) => `${word} ${first - index}`);
  for (const filter of [{}, { query: "owls" }, { by: "winter" }, { query: "owls", by: "winter" }]) {
    const { blogs, after } = await mona.api.moderation.blogs.query(filter);
    expect(blogs.map(({ title }) => title)).toEqual(numberedTexts("Owls", 22, 3));
    const laterBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls 99" }));
    const nextPage = await mona.api.moderation.blogs.query({ ...filter, after: after ?? "" });
    expect(nextPage.blogs.map(({ title }) => title)).toEqual(numberedTexts("Owls", 2, 0));
    expect(nextPage.after).toBeNull();
    await ana.api.blogs.remove.mutate({ id: laterBlog.id });
  }
  for (const filter of [{}, { query: "word" }]) {
    const { comments, after } = await mona.api.moderation.comments.query(filter);
    expect(comments.map(({ text }) => text)).toEqual(numberedTexts("A word", 22, 3));
    expect(await texts(mona, { ...filter, after: after ?? "" })).toEqual(["A word 2", "A word 1"]);
  }
  expect(await texts(mona, { by: "ben" })).toEqual(
    numberedTexts("A word", 22, 1).filter((_, index) => index % 2 === 0),
  );
  // An invalid cursor starts at the beginning.
  expect((await titles(mona, { after: "anything" })).length).toBe(20);
});

test("finds comments below public blogs by words and author, with a link to each", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { mona, ana, ben } = site;
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls at night" }));
  const privateBlog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const spam = await ben.api.comments.create.mutate(
    aComment(blog, { text: "Buy at https://pills.example/now" }),
  );
  await ana.api.comments.create.mutate(aComment(blog, { text: "Été" }));
  await ana.api.comments.create.mutate(aComment(privateBlog, { text: "Among us" }));
  const deletedComment = await ben.api.comments.create.mutate(aComment(blog, { text: "Said too soon" }));
  await ben.api.comments.remove.mutate({ id: deletedComment.id });
  expect(await texts(mona)).toEqual(["Été", spam.text]);
  expect(await texts(mona, { query: "pills.example" })).toEqual([spam.text]);
  expect(await texts(mona, { query: "ETE" })).toEqual(["Été"]);
  expect(await texts(mona, { by: "ben" })).toEqual([spam.text]);
  expect(await texts(mona, { by: "ben", query: "été" })).toEqual([]);
  expect((await mona.api.moderation.comments.query({ by: "ben" })).comments).toMatchObject([
    {
      address: `/blog/${blog.slug}#comment-${spam.id}`,
      author: { id: ben.me.id },
      blog: { title: "Owls at night", author: { id: ana.me.id } },
      mayAct: true,
    },
  ]);
});

test("lets moderators take down and restore, and administrators alone delete, unreported content", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { boss, mona, ana, ben } = site;
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Pills" }));
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "Buy some" }));
  const stream = followTopic(boss, "me");
  await stream.waitForStart();
  await hide(mona, blog.id, "It advertises.");
  await until(() => stream.events("viewer.reportsChanged").length >= 1, "the other moderator hears of it");
  expect(await ana.api.blogs.bySlug.query({ slug: blog.slug })).toMatchObject({
    takedownReason: "It advertises.",
  });
  await mona.api.moderation.restore.mutate({ blogId: blog.id });
  expect(await titles(mona, { state: "public" })).toEqual(["Pills"]);
  const decision = { kind: "comment", id: comment.id, outcome: "take-down", reason: "Spam" } as const;
  await mona.api.moderation.resolveReport.mutate(decision);
  expect(await texts(mona)).toEqual([]);
  const deleted = { blogId: blog.id, reason: "Sold pills" };
  expect(await refusal(mona.api.moderation.deleteBlog.mutate(deleted))).toMatchObject({ code: "FORBIDDEN" });
  await boss.api.moderation.deleteBlog.mutate(deleted);
  await until(() => stream.events("viewer.reportsChanged").length >= 4, "each act is told");
  stream.stop();
  expect(await titles(mona)).toEqual([]);
  expect(await refusal(ana.api.blogs.bySlug.query({ slug: blog.slug }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await logOf(mona)).toEqual([
    "boss | delete | Sold pills",
    "mona | take-down | Spam",
    "mona | restore",
    "mona | take-down | It advertises.",
    "boss | moderator | mona",
  ]);
});

test("refuses staff access to drafts and private blogs, and moderators actions on an administrator's", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { boss, mona, ana } = site;
  const draft = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const privateBlog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  for (const { id: blogId } of [draft, privateBlog]) {
    expect((await refusal(boss.api.moderation.deleteBlog.mutate({ blogId }))).code).toBe("NOT_FOUND");
    expect((await refusal(boss.api.moderation.readBlog.query({ blogId }))).code).toBe("NOT_FOUND");
  }
  await boss.api.blogs.create.mutate(aBlog({ title: "The boss writes" }));
  expect((await mona.api.moderation.blogs.query({})).blogs).toMatchObject([
    { title: "The boss writes", mayAct: false },
  ]);
});

/** Inserts `count` copies of the row with this id, with new values where they must be unique. */
async function copies(testSite: TestSite, table: "blogs" | "comments", id: string, count: number) {
  const columns = testSite
    .rows<{ name: string }>(`pragma table_info(${table})`)
    .map(({ name }) => name)
    .filter((name) => name !== "seq");
  const uniqueColumns = ["id", "slug", "root_id"];
  const selected = columns.map((name) => (uniqueColumns.includes(name) ? `'x' || value` : name));
  await testSite.write(async (tx) => {
    await tx.drizzle.run(`insert into ${table} (${columns.join()}) with recursive
      n(value) as (select 1 union all select value + 1 from n where value < ${count})
      select ${selected.join()} from n, (select * from ${table} where id = '${id}')`);
  });
}

test("ends a page after its time limit, one row later at least, and continues from there", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { testSite, mona, ana, ben } = site;
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const takenDown = await ben.api.blogs.create.mutate(aBlog({ title: "More owls" }));
  await hide(mona, takenDown.id, "It advertises.");
  for (const person of [ana, ben, ana])
    await person.api.comments.create.mutate(aComment(blog, { text: "Of owls" }));
  await ben.api.comments.create.mutate(aComment(blog, { text: "Of bread" }));
  const sqlite = openSqlite(testSite.app.services.database.file, true);
  // The clock advances by a minute at each look.
  let time = 0;
  const clock = () => (time += 60_000);
  const filter = { by: null, state: "all", after: "", limit: 20 } as const;
  const searches: [StaffSearch, number][] = [
    [{ ...filter, kind: "comments", words: searchWords("owls") }, 3],
    [{ ...filter, kind: "comments", words: null }, 4],
    [{ ...filter, kind: "blogs", words: searchWords("owls") }, 2],
    [{ ...filter, kind: "blogs", words: null }, 2],
  ];
  for (const [search, count] of searches) {
    const all = findForStaff(sqlite, search, () => 0);
    expect(all).toMatchObject({ numbers: { length: count }, after: null });
    const pages: StaffSearchResult[] = [];
    for (let after: string | null = ""; after !== null; after = pages.at(-1)?.after ?? null)
      pages.push(findForStaff(sqlite, { ...search, after }, clock));
    expect(pages.flatMap(({ numbers }) => numbers)).toEqual(all.numbers);
    // A page looked at one row of each of its lists.
    expect(Math.max(...pages.map(({ numbers }) => numbers.length))).toBe(1);
  }
  sqlite.close();
});

test("continues a moderator's search by itself for a while when the first rows have no hit", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { testSite, mona, ana, ben } = site;
  await ana.api.blogs.create.mutate(aBlog({ title: "Her owls" }));
  const other = await ben.api.blogs.create.mutate(aBlog({ title: "His owls" }));
  await copies(testSite, "blogs", other.id, 2_100);
  expect(await titles(mona, { query: "owls", by: `@${ana.me.username}` })).toEqual(["Her owls"]);
});

test("finds a taken-down blog by words that many public ones have, and not among public ones", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { testSite, mona, ben } = site;
  const oldBlog = await ben.api.blogs.create.mutate(aBlog({ title: "Old owls" }));
  await hide(mona, oldBlog.id, "It advertises.");
  const other = await ben.api.blogs.create.mutate(aBlog({ title: "New owls" }));
  await copies(testSite, "blogs", other.id, 2_100);
  expect(await mona.api.moderation.blogs.query({ state: "taken-down", query: "owls" })).toMatchObject({
    blogs: [{ id: oldBlog.id }],
    after: null,
  });
  expect(await titles(mona, { state: "public", query: "old" })).toEqual([]);
});

test("finds a blog by the same words before and after its takedown, at the end of a long text too", async () => {
  await using site = await startStaffedSite({ anaAs: "Ana Winter" });
  const { mona, ben } = site;
  const blog = await ben.api.blogs.create.mutate(
    aBlog({ title: "Node js and owls", document: paragraphs(`${"filler ".repeat(2_500)}zanzibar`) }),
  );
  const queries = [
    "zanzibar",
    "zanz",
    "anzibar",
    "node.js",
    "node-js",
    "nodejs",
    "owls, node",
    "OWLS",
    "wls",
  ];
  const matchingQueries = async () => {
    const answers: string[] = [];
    for (const query of queries) if ((await titles(mona, { query })).length > 0) answers.push(query);
    return answers;
  };
  const before = await matchingQueries();
  expect(before).toContain("zanzibar");
  await hide(mona, blog.id, "It advertises.");
  expect(await matchingQueries()).toEqual(before);
});
