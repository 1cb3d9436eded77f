import { expect, test } from "vitest";
import { actingAs, importingAs } from "../../../src/server/accounts/acting-as.ts";
import { writeExport } from "../../../src/server/exports/write.ts";
import { openFiles } from "../../../src/server/imports/files/open.ts";
import { importFrom, type ImportOptions } from "../../../src/server/imports/import-posts.ts";
import { openAsKind } from "../../../src/server/imports/kinds.ts";
import { filesOf } from "../../support/exports/files.ts";
import { createFolder } from "../../support/import-folder.ts";
import { addCoAuthor, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { upload } from "../../support/pictures.ts";
import { forThisTest, siteWith } from "../../support/site-with.ts";
import { paragraphs, startTestSite, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";

async function exportOf(testSite: TestSite, account: string): Promise<string> {
  const { folder } = forThisTest(await createFolder({}));
  const to = `${folder}/export.zip`;
  await writeExport(testSite.app.services, { account, to, program: "0" });
  return to;
}

async function importInto(
  testSite: TestSite,
  { me }: SignedInBrowser,
  file: string,
  options?: ImportOptions,
) {
  const source = await openAsKind("reprise", await openFiles(file));
  try {
    return await importFrom(actingAs(testSite.app.services, me.id), source, options);
  } finally {
    await source.close();
  }
}

async function startLiveSite() {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await createLiveBlog(ana, { slug: "owls" });
  await addCoAuthor(ana, blog, ben);
  const { src } = await upload(ben);
  const image = { type: "paragraph", content: [{ type: "image", attrs: { src, alt: "A bat" } }] };
  const document = { type: "doc", content: [...paragraphs("A bat.").content, image] };
  const edited = await postEntry(ana, blog, { title: "Dusk", at: "2026-03-01T19:00:00Z" });
  await ana.api.blogs.editEntry.mutate({ id: edited.id, title: "Dusk", document: paragraphs("It is dark.") });
  await postEntry(ben, blog, { at: "2026-03-01T20:15:00.123Z", isKey: true, document });
  await ana.api.blogs.setSummary.mutate({ id: blog.id, summary: ["Owls."] });
  return { testSite, ana, blog };
}

const places = async (browser: SignedInBrowser, blog: { id: string }) =>
  (await listEntries(browser, blog)).entries.map(({ at, title, isKey, author }) => [
    at,
    title,
    isKey,
    author?.name,
  ]);

test("moves a live blog to another site with its state, its entries, their times and pictures", async () => {
  const { testSite: before, ana, blog } = await startLiveSite();
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
  const [after, cleo] = await siteWith("Cleo");
  const report = await importInto(after, cleo, await exportOf(before, ana.me.id));
  expect(report).toMatchObject({ imported: 1, pictures: 1, problems: [] });
  const moved = await cleo.api.blogs.bySlug.query({ slug: "owls" });
  expect(moved.live).toEqual((await ana.api.blogs.bySlug.query({ slug: "owls" })).live);
  const { entries } = await listEntries(cleo, moved);
  const old = (await listEntries(ana, blog)).entries;
  expect(await places(cleo, moved)).toEqual([
    ["2026-03-01T19:00:00.000Z", "Dusk", false, "Cleo"],
    ["2026-03-01T20:15:00.123Z", "", true, "Cleo"],
  ]);
  expect(entries.map(({ editedAt }) => editedAt)).toEqual(old.map(({ editedAt }) => editedAt));
  const plain = (html: string) => html.replace(/\/media\/[\w./-]+/g, "/media/ID");
  expect(entries.map(({ html }) => plain(html))).toEqual(old.map(({ html }) => plain(html)));
  const src = /<img[^>]* src="(\/media\/[^"]+)"/.exec(entries[1]!.html)?.[1] ?? "";
  expect((await after.browser().fetch(src)).status).toBe(200);
  expect(after.rows<{ owner: string }>("select owner_id as owner from media")).toEqual([
    { owner: cleo.me.id },
  ]);
});

test("ends a live blog that was on air, and notifies nobody", async () => {
  const { testSite: before, ana } = await startLiveSite();
  const [after, cleo, fay] = await siteWith("Cleo", "Fay");
  await fay.api.social.follow.mutate({ userId: cleo.me.id, follow: true });
  await importInto(after, cleo, await exportOf(before, ana.me.id));
  const { live } = await cleo.api.blogs.bySlug.query({ slug: "owls" });
  expect(live).toMatchObject({ ended: expect.any(String), summary: ["Owls."] });
  expect((await fay.api.blogs.liveNow.query()).blogs).toEqual([]);
  expect(after.rows("select 1 from jobs where name like '%followers%'")).toEqual([]);
});

test("adds what was posted since when it is imported again, and neither repeats nor brings back an entry", async () => {
  const { testSite: before, ana, blog } = await startLiveSite();
  const [after, cleo] = await siteWith("Cleo");
  const first = await exportOf(before, ana.me.id);
  await importInto(after, cleo, first);
  const moved = await cleo.api.blogs.bySlug.query({ slug: "owls" });
  const [dusk] = (await listEntries(cleo, moved)).entries;
  await cleo.api.blogs.withdrawEntry.mutate({ id: dusk!.id, withdrawn: true });
  await postEntry(ana, blog, { title: "Dawn", at: "2026-03-02T05:00:00Z" });
  for (let turn = 0; turn < 2; turn++)
    expect(await importInto(after, cleo, await exportOf(before, ana.me.id))).toMatchObject({
      before: 1,
      changed: 0,
      problems: [],
    });
  expect((await places(cleo, moved)).map(([, title]) => title)).toEqual(["", "Dawn"]);
});

test("stores nothing in a trial run", async () => {
  const { testSite: before, ana } = await startLiveSite();
  const [after, cleo] = await siteWith("Cleo");
  await importInto(after, cleo, await exportOf(before, ana.me.id), { dryRun: true });
  for (const table of ["blogs", "entries", "media"]) expect(after.rows(`select 1 from ${table}`)).toEqual([]);
});

test("imports the entries of a draft, which is no longer on air", async () => {
  const { testSite: before, ana, blog } = await startLiveSite();
  await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  const [after, cleo] = await siteWith("Cleo");
  await importInto(after, cleo, await exportOf(before, ana.me.id));
  const moved = await cleo.api.blogs.bySlug.query({ slug: "owls" });
  expect([moved.draft, moved.live?.ended]).toEqual([true, expect.any(String)]);
  expect(await places(cleo, moved)).toHaveLength(2);
});

const document = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Hoo." }] }] };
const entry = (fields: object) => ({
  id: "1",
  at: "2026-01-01T00:00:00Z",
  title: "Dusk",
  document,
  ...fields,
});
const exportFiles = (entries: string) =>
  filesOf({
    "export.json": JSON.stringify({ format: "reprise-export", version: 1, made: "2026-02-01T00:00:00Z" }),
    "blogs.json": `[{"id":"1","slug":"a","name":"a","title":"A","visibility":"public","publishedAt":"2020-01-02T03:04:05.678Z",
      "live":{"since":"2026-01-01T00:00:00Z","ended":null,"summary":["Owls.",3,"${"x".repeat(300)}"]}}]`,
    "blogs/a.json": JSON.stringify({ id: "1", document }),
    "entries/a.json": entries,
    "index.html": "<p>",
  });

test("says which entries of an edited export it skips, and imports the others", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const rows = [
    entry({}),
    entry({ id: "2", title: "x".repeat(200) }),
    entry({ id: "3", document: { type: "doc", content: [{ type: "script" }] } }),
    entry({ id: "4", title: "", document: { type: "doc", content: [{ type: "paragraph" }] } }),
    entry({ id: "5", at: "soon" }),
    7,
  ];
  const source = await openAsKind("reprise", exportFiles(JSON.stringify(rows)));
  const report = await importFrom(actingAs(testSite.app.services, ana.me.id), source);
  const blog = await ana.api.blogs.bySlug.query({ slug: "a" });
  expect(blog.live).toMatchObject({
    ended: "2026-02-01T00:00:00.000Z",
    summary: ["Owls.", "3", expect.stringMatching(/…$/)],
  });
  const titles = (await listEntries(ana, blog)).entries.map(({ title }) => title);
  expect(titles.toSorted()).toEqual(["Dusk", expect.stringMatching(/^x+…$/)]);
  expect(report.problems.map(({ problem }) => problem).toSorted()).toEqual([
    expect.stringMatching(/^1 entry skipped: .*script/),
    "1 entry skipped: Write something first.",
    "1 entry skipped: no valid time.",
    expect.stringContaining("entry’s title has 200 characters"),
    expect.stringContaining("summary has 300 characters"),
  ]);
});

test("keeps what it has of a file that breaks off", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const source = await openAsKind("reprise", exportFiles(`[${JSON.stringify(entry({}))},{"id`));
  const report = await importFrom(actingAs(testSite.app.services, ana.me.id), source);
  expect(report.problems.map(({ problem }) => problem)).toContainEqual(expect.stringContaining("incomplete"));
  expect(await places(ana, await ana.api.blogs.bySlug.query({ slug: "a" }))).toHaveLength(1);
});

test("refuses entries with links on a new account's first day", async () => {
  const testSite = forThisTest(await startTestSite({ RATE_LIMIT: "on" }));
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  await ana.api.administration.setSite.mutate({ firstDayBlogs: "3" });
  const link = {
    type: "text",
    text: "there",
    marks: [{ type: "link", attrs: { href: "https://example.org/" } }],
  };
  const linked = {
    type: "doc",
    content: Array.from({ length: 40 }, () => ({ type: "paragraph", content: [link] })),
  };
  const source = await openAsKind(
    "reprise",
    exportFiles(JSON.stringify([entry({}), entry({ id: "2", document: linked })])),
  );
  const ctx = importingAs(testSite.app.services, ben.me.id, { isLocal: false, fetch: false });
  const report = await importFrom(ctx, source);
  expect(report.problems.map(({ problem }) => problem)).toContainEqual(expect.stringContaining("first day"));
  expect(await places(ben, await ben.api.blogs.bySlug.query({ slug: "a" }))).toHaveLength(1);
});
