import { expect, test } from "vitest";
import { entryLimits } from "../../../src/shared/entries.ts";
import { insertEntriesSql, runStatements } from "../../support/bulk-rows.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { anEntry, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { siteWith } from "../../support/site-with.ts";
import { paragraphs, startTestSite } from "../../support/test-site.ts";

const tooLong = {
  code: "BAD_REQUEST",
  field: "document",
  message: expect.stringContaining("20,000 characters"),
};

test.each([
  ["Latin", "x"],
  ["Chinese", "猫"],
])("accepts twenty thousand %s characters, and refuses one more", async (_script, letter) => {
  const [, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const longest = letter.repeat(entryLimits.text);
  const entry = await postEntry(ana, blog, { document: paragraphs(longest) });
  expect(entry.html).toBe(`<p dir="auto">${longest}</p>`);
  await expectRefusal(postEntry(ana, blog, { document: paragraphs(`${longest}${letter}`) }), tooLong);
  const { id } = entry;
  await expectRefusal(ana.api.blogs.editEntry.mutate({ id, document: paragraphs(`${longest}y`) }), tooLong);
  const edited = longest.replace(/.$/, "y");
  expect((await ana.api.blogs.editEntry.mutate({ id, document: paragraphs(edited) })).html).toContain(edited);
});

test("refuses a document whose JSON is large though its text is not", async () => {
  const [, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const documentOf = (pieces: number) => ({
    type: "doc",
    content: [
      {
        type: "paragraph",
        content: Array.from({ length: pieces }, (_, index) => ({
          type: "text",
          text: "x",
          ...(index % 2 === 0 ? { marks: [{ type: "strong" }] } : {}),
        })),
      },
    ],
  });
  expect((await postEntry(ana, blog, { document: documentOf(3_000) })).html).toContain("<strong>x</strong>x");
  for (const pieces of [6_000, 9_000])
    await expectRefusal(postEntry(ana, blog, { document: documentOf(pieces) }), tooLong);
  expect((await listEntries(ana, blog)).total).toBe(1);
});

test("refuses an entry without content, but not one of a title, a picture's place or a rule alone", async () => {
  const [, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  for (const document of [paragraphs(""), paragraphs(" ", "\u200b")]) {
    await expectRefusal(postEntry(ana, blog, { document }), {
      code: "BAD_REQUEST",
      field: "document",
      message: "Write something first.",
    });
    expect(await postEntry(ana, blog, { document, title: "Dawn" })).toMatchObject({ headline: "Dawn" });
  }
  const rule = { type: "doc", content: [{ type: "horizontal_rule" }] };
  expect(await postEntry(ana, blog, { document: rule })).toMatchObject({ headline: "A picture", title: "" });
  const { id } = await postEntry(ana, blog);
  await expectRefusal(ana.api.blogs.editEntry.mutate({ id, document: paragraphs("") }), {
    field: "document",
  });
  for (const document of [undefined, null, 7, "Owls", { type: "nonsense" }, { type: "doc", content: 7 }])
    await expectRefusal(postEntry(ana, blog, { document }), "BAD_REQUEST");
});

test("refuses a title that is too long and a time that is none, and names the field", async () => {
  const [, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  await postEntry(ana, blog, { title: "x".repeat(entryLimits.title) });
  await expectRefusal(postEntry(ana, blog, { title: "x".repeat(entryLimits.title + 1) }), {
    code: "BAD_REQUEST",
    field: "title",
  });
  await expectRefusal(postEntry(ana, blog, { at: "yesterday" }), {
    code: "BAD_REQUEST",
    field: "at",
    message: "That’s not a valid time.",
  });
});

test("accepts two thousand entries of a blog, beside those that were withdrawn", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const other = await createLiveBlog(ana);
  await runStatements(
    testSite,
    insertEntriesSql(
      1,
      entryLimits.ofBlog - 1 + 700,
      { blogId: blog.id, authorId: ana.me.id },
      {
        withdrawn_at: "case when n < 700 then 1 end",
      },
    ),
  );
  const last = anEntry(blog);
  await ana.api.blogs.postEntry.mutate(last);
  await expectRefusal(postEntry(ana, blog), {
    code: "FORBIDDEN",
    message: "A live blog can have up to 2,000 entries. Please start another one.",
  });
  // A retry of the last one is none more.
  expect((await ana.api.blogs.postEntry.mutate(last)).id).toBe(last.id);
  expect((await listEntries(ana, blog)).total).toBe(entryLimits.ofBlog);
  // One that was withdrawn makes room for one, and cannot come back then.
  const withdraw = (withdrawn: boolean) => ana.api.blogs.withdrawEntry.mutate({ id: last.id, withdrawn });
  await withdraw(true);
  await postEntry(ana, blog);
  await expectRefusal(withdraw(false), "FORBIDDEN");
  await postEntry(ana, other);
});

test("rate-limits entries and their edits together, and neither retries nor readers", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const blog = await createLiveBlog(ana);
  const entry = anEntry(blog);
  for (let count = 0; count < 20; count++) await ana.api.blogs.postEntry.mutate(entry);
  for (let count = 0; count < 14; count++) await postEntry(ana, blog);
  const edit = () => ana.api.blogs.editEntry.mutate({ id: entry.id, document: paragraphs("A bat.") });
  for (let count = 0; count < 15; count++) await edit();
  const limited = { code: "TOO_MANY_REQUESTS", retryAfter: expect.any(Number) };
  await expectRefusal(postEntry(ana, blog), limited);
  await expectRefusal(edit(), limited);
  expect((await ana.api.blogs.postEntry.mutate(entry)).id).toBe(entry.id);
  await ana.api.blogs.withdrawEntry.mutate({ id: entry.id, withdrawn: true });
  expect((await listEntries(eve, blog)).total).toBe(14);
});
