import { expect, test } from "vitest";
import { entryLimits } from "../../../src/shared/entries.ts";
import type { BlogSearch, TextPart } from "../../../src/shared/search.ts";
import { insertEntriesSql, runStatements } from "../../support/bulk-rows.ts";
import { createLiveBlog, postEntry } from "../../support/live-blogs.ts";
import { indexedNumbers } from "../../support/search-index.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, until, type Browser, type SignedInBrowser } from "../../support/test-site.ts";

const find = ({ api }: Pick<Browser | SignedInBrowser, "api">, query: string, page = 1) =>
  api.blogs.search.query({ query, page });
const shown = (parts: TextPart[] | undefined) =>
  (parts ?? []).map(({ text, hit }) => (hit ? `[${text}]` : text)).join("");
const titles = ({ blogs }: BlogSearch) => blogs.map(({ title }) => title);

test("finds a live blog by the words of its entries, after blogs with the words in their titles", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const guest = testSite.browser();
  await ana.api.blogs.create.mutate(aBlog({ title: "How a penalty is taken" }));
  const blog = await createLiveBlog(ana, { title: "Owls against Larks", document: paragraphs("The final.") });
  await postEntry(ana, blog, { document: paragraphs("A first penalty, saved.") });
  const newest = await postEntry(ana, blog, {
    title: "1–0",
    document: paragraphs("Rojo takes the penalty, and scores."),
  });
  await postEntry(ana, blog, { document: paragraphs("梟が鳴いた。") });
  const found = await find(guest, "penalty");
  expect(titles(found)).toEqual(["How a penalty is taken", "Owls against Larks"]);
  expect(found.total).toBe(2);
  expect(found.blogs[0]!.entryId).toBeUndefined();
  expect(found.blogs[1]!.entryId).toBe(newest.id);
  expect(shown(found.blogs[1]!.highlights.snippet)).toBe("1–0 · Rojo takes the [penalty], and scores.");
  // The beginning of a word, and a script without spaces.
  expect(titles(await find(guest, "roj"))).toEqual(["Owls against Larks"]);
  expect(titles(await find(guest, "鳴"))).toEqual(["Owls against Larks"]);
  // A part of a word in the title of an entry that has no text.
  await postEntry(ana, blog, { title: "Goalkeeper Sanchez", document: pictureOnly });
  const byPart = await find(guest, "keeper");
  expect(shown(byPart.blogs[0]!.highlights.snippet)).toBe("Goal[keeper] Sanchez");
  // Its own words come first, and have no entry.
  const byOwnWords = await find(guest, "owls");
  expect(byOwnWords.blogs[0]).toMatchObject({ title: "Owls against Larks" });
  expect(byOwnWords.blogs[0]!.entryId).toBeUndefined();
});

/** A text that shows something, but has no words. */
const pictureOnly = { type: "doc", content: [{ type: "horizontal_rule" }] };

test("follows edits and withdrawals of entries, and deletions of blogs, at once", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const guest = testSite.browser();
  const blog = await createLiveBlog(ana);
  const { id } = await postEntry(ana, blog, { document: paragraphs("A secret wombat.") });
  const totals = async () => [(await find(guest, "wombat")).total, (await find(guest, "numbat")).total];
  const indexed = () => testSite.rows(indexedNumbers("blogs", "number < 0"));
  expect(await totals()).toEqual([1, 0]);
  await ana.api.blogs.editEntry.mutate({ id, document: paragraphs("A numbat.") });
  expect(await totals()).toEqual([0, 1]);
  await ana.api.blogs.withdrawEntry.mutate({ id, withdrawn: true });
  expect(await totals()).toEqual([0, 0]);
  // Also as a withdrawn one.
  await ana.api.blogs.editEntry.mutate({ id, document: paragraphs("A wombat.") });
  expect(await totals()).toEqual([0, 0]);
  expect(indexed()).toEqual([]);
  await ana.api.blogs.withdrawEntry.mutate({ id, withdrawn: false });
  expect(await totals()).toEqual([1, 0]);
  await ana.api.blogs.remove.mutate({ id: blog.id });
  expect(await totals()).toEqual([0, 0]);
  await until(() => indexed().length === 0);
});

test("finds entries only for people who can read their blog", async () => {
  const [testSite, ana, fay, eve] = await siteWith("Ana", "Fay", "Eve");
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const blog = await createLiveBlog(ana, { private: true });
  await postEntry(ana, blog, { document: paragraphs("A tarsier.") });
  const readers = { ana, fay, eve, guest: testSite.browser() };
  const whoFinds = async () => {
    const results = await Promise.all(
      Object.entries(readers).map(async ([name, reader]) => [name, await find(reader, "tarsier")] as const),
    );
    return results.flatMap(([name, { blogs, total }]) => (blogs.length > 0 || total !== 0 ? [name] : []));
  };
  expect(await whoFinds()).toEqual(["ana", "fay"]);
  await ana.api.social.removeFollower.mutate({ userId: fay.me.id });
  expect(await whoFinds()).toEqual(["ana"]);
  await ana.api.blogs.update.mutate({ id: blog.id, private: false });
  expect(await whoFinds()).toEqual(["ana", "fay", "eve", "guest"]);
  await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  expect(await whoFinds()).toEqual([]);
});

test("finds other live blogs beside one with as many entries as it can have, and many that nobody can read", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const quiet = await createLiveBlog(ana, { title: "A quiet match" });
  const own = await postEntry(ana, quiet, { title: "Number one" });
  const long = await createLiveBlog(ana, { title: "A long day" });
  await runStatements(
    testSite,
    insertEntriesSql(1, entryLimits.ofBlog, { blogId: long.id, authorId: ana.me.id }),
  );
  const secret = await createLiveBlog(ana, { private: true });
  await runStatements(testSite, insertEntriesSql(2, 6_000, { blogId: secret.id, authorId: ana.me.id }));
  const found = await find(testSite.browser(), "number");
  expect(found.total).toBe(2);
  expect(titles(found)).toEqual(["A long day", "A quiet match"]);
  expect(found.blogs[1]!.entryId).toBe(own.id);
});
