import { expect, test } from "vitest";
import { entryLimits, entryOrders } from "../../../src/shared/entries.ts";
import { insertEntriesSql, numberedId, runStatements } from "../../support/bulk-rows.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import {
  addCoAuthor,
  anEntry,
  createLiveBlog,
  listEntries,
  pagesOfEntries,
  postEntry,
} from "../../support/live-blogs.ts";
import { forThisTest, siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, startTestSite } from "../../support/test-site.ts";

test("posts an entry at the server's time, or at an earlier one that is given, but never in the future", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const started = Date.now();
  const now = await postEntry(ana, blog, { title: " Dusk ", isKey: true });
  expect(now).toMatchObject({
    blogId: blog.id,
    author: { name: "Ana" },
    title: "Dusk",
    headline: "Dusk",
    isKey: true,
    html: '<p dir="auto">An owl calls.</p>',
    editedAt: null,
    likesCount: 0,
    liked: false,
  });
  const earlier = await postEntry(ana, blog, { at: "2020-02-29T22:30:00+01:00" });
  expect(earlier).toMatchObject({ at: "2020-02-29T21:30:00.000Z", headline: "An owl calls." });
  const future = await postEntry(ana, blog, { at: new Date(Date.now() + 3_600_000).toISOString() });
  for (const { at } of [now, future]) {
    expect(Date.parse(at)).toBeGreaterThanOrEqual(started);
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  }
  const guest = testSite.browser();
  const ids = [earlier.id, now.id, future.id];
  expect((await listEntries(guest, blog, "oldest")).entries.map(({ id }) => id)).toEqual(ids);
  expect((await listEntries(guest, blog, "newest")).entries.map(({ id }) => id)).toEqual(ids.toReversed());
});

test("lists what follows an entry of the earliest time", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const place = { blogId: blog.id, authorId: ana.me.id };
  await runStatements(testSite, insertEntriesSql(1, entryLimits.page - 1, place));
  for (let count = 0; count < 2; count++) await postEntry(ana, blog, { at: "0000-01-01T00:00:00+23:59" });
  const pages = await pagesOfEntries(ana, blog, "newest");
  expect(pages.map(({ entries }) => entries.length)).toEqual([entryLimits.page, 1]);
});

test.each(entryOrders)(
  "lists 75 entries page by page, %s first, those of equal time by their ids",
  async (order) => {
    const [testSite, ana] = await siteWith("Ana");
    const blog = await createLiveBlog(ana);
    const other = await createLiveBlog(ana);
    const authorId = ana.me.id;
    await runStatements(
      testSite,
      insertEntriesSql(1, 75, { blogId: blog.id, authorId }, { at: "1000 * (n / 20)" }),
      insertEntriesSql(2, 5, { blogId: other.id, authorId }),
      insertEntriesSql(3, 5, { blogId: blog.id, authorId }, { withdrawn_at: "1" }),
    );
    const pages = await pagesOfEntries(testSite.browser(), blog, order);
    expect(pages.map(({ entries }) => entries.length)).toEqual([30, 30, 15]);
    expect(pages.map(({ total }) => total)).toEqual([75, 75, 75]);
    const ids = Array.from({ length: 75 }, (_, index) => numberedId(1, index));
    expect(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(
      order === "oldest" ? ids : ids.toReversed(),
    );
  },
);

test("says that nothing follows a page with the last entries", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const place = { blogId: blog.id, authorId: ana.me.id };
  expect(await listEntries(ana, blog)).toMatchObject({ entries: [], more: null, keys: [], total: 0 });
  await runStatements(testSite, insertEntriesSql(1, entryLimits.page, place));
  expect(await listEntries(ana, blog)).toMatchObject({ more: null, total: entryLimits.page });
  await runStatements(testSite, insertEntriesSql(2, 1, place));
  const { entries, more } = await listEntries(ana, blog);
  expect([entries.length, more]).toEqual([
    entryLimits.page,
    { at: entries.at(-1)!.at, id: entries.at(-1)!.id },
  ]);
});

test("lists fewer long entries on a page, but at least one", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const text = (length: number) => `'<p>${"x".repeat(length)}</p>'`;
  const html = `case n when 4 then ${text(entryLimits.characters + 1)} else ${text(entryLimits.characters * 0.4)} end`;
  await runStatements(testSite, insertEntriesSql(1, 6, { blogId: blog.id, authorId: ana.me.id }, { html }));
  const pages = await pagesOfEntries(testSite.browser(), blog, "oldest");
  expect(pages.map(({ entries }) => entries.length)).toEqual([2, 2, 1, 1]);
  expect(new Set(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).size).toBe(6);
});

test("names the newest fifty key moments, oldest first, on each page", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const place = { blogId: blog.id, authorId: ana.me.id };
  await runStatements(
    testSite,
    // Every other one, and the newest of all is withdrawn.
    insertEntriesSql(1, 121, place, { is_key: "1 - n % 2", withdrawn_at: "case n when 120 then 1 end" }),
  );
  const guest = testSite.browser();
  const { keys, more } = await listEntries(guest, blog, "newest");
  expect(keys.map(({ headline }) => headline)).toEqual(
    Array.from({ length: entryLimits.keys }, (_, index) => `Number ${20 + 2 * index}`),
  );
  expect(keys[0]).toEqual({ id: numberedId(1, 20), at: "1970-01-01T00:00:20.000Z", headline: "Number 20" });
  const next = await guest.api.blogs.entries.query({ blogId: blog.id, order: "newest", after: more! });
  expect(next.keys).toEqual(keys);
});

test("posts an entry that is sent again once, and emits one event", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const entry = anEntry(blog);
  const answers = await Promise.all(Array.from({ length: 6 }, () => ana.api.blogs.postEntry.mutate(entry)));
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
  // The answer was lost, and the blog has ended since.
  answers.push(await ana.api.blogs.postEntry.mutate({ ...entry, document: paragraphs("Another text.") }));
  for (const answer of answers) expect({ ...answer, cursor: "" }).toEqual({ ...answers[0], cursor: "" });
  expect((await listEntries(ana, blog)).total).toBe(1);
  expect(testSite.rows("select 1 from live_events where event like '%entry.posted%'")).toHaveLength(1);
});

test("refuses an id that another person's entry has, or one's own entry of another blog", async () => {
  const [, ana, ben] = await siteWith("Ana", "Ben");
  const [blog, other] = [await createLiveBlog(ana), await createLiveBlog(ana)];
  await addCoAuthor(ana, blog, ben);
  const { id } = await postEntry(ana, blog);
  await expectRefusal(postEntry(ben, blog, { id }), "CONFLICT");
  await expectRefusal(postEntry(ana, other, { id }), "CONFLICT");
  expect((await listEntries(ana, blog)).entries).toMatchObject([{ id, author: { name: "Ana" } }]);
  expect((await listEntries(ana, other)).entries).toEqual([]);
});

test("refuses entries before the start, after the end and of a draft", async () => {
  const [, ana] = await siteWith("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const { setLive, update } = ana.api.blogs;
  const refused = { code: "CONFLICT", field: "live" };
  await expectRefusal(postEntry(ana, blog), { ...refused, message: "This is not a live blog." });
  await setLive.mutate({ id: blog.id, live: true });
  await postEntry(ana, blog);
  await setLive.mutate({ id: blog.id, live: false });
  await expectRefusal(postEntry(ana, blog), {
    ...refused,
    message: "This live blog has ended. Reopen it to post more.",
  });
  await setLive.mutate({ id: blog.id, live: true });
  await update.mutate({ id: blog.id, draft: true });
  await expectRefusal(postEntry(ana, blog), refused);
  await expectRefusal(setLive.mutate({ id: blog.id, live: true }), {
    code: "BAD_REQUEST",
    message: "Publish this draft first.",
  });
});

test("shows two entries with the same headings and footnotes without any id, so that none repeats", async () => {
  const testSite = forThisTest(await startTestSite());
  const ana = await testSite.createAccount("Ana");
  const text = [{ type: "text", text: "Owls" }];
  const document = {
    type: "doc",
    content: [
      { type: "heading", attrs: { level: 2 }, content: text },
      { type: "paragraph", content: [...text, { type: "footnote_ref", attrs: { note: "1" } }] },
      {
        type: "footnotes",
        content: [
          { type: "footnote", attrs: { note: "1" }, content: [{ type: "paragraph", content: text }] },
        ],
      },
    ],
  };
  const blog = await createLiveBlog(ana, { document });
  for (let count = 0; count < 2; count++) await postEntry(ana, blog, { document });
  const { entries } = await listEntries(testSite.browser(), blog);
  for (const { html } of entries) {
    expect(html).toMatch(/<h2[^>]*>Owls<\/h2>[^]*footnote-ref[^]*<section[^>]* class="footnotes">/);
    expect(html).not.toMatch(/\sid="|href="#/);
  }
  // They go with an edit's, too.
  const { id } = entries[0]!;
  expect((await ana.api.blogs.editEntry.mutate({ id, document })).html).toBe(entries[1]!.html);
});
