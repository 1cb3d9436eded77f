import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { listRuns } from "../../../src/server/imports/queries.ts";
import { endedRun, reportOf, sendImport } from "../../support/import-upload.ts";
import { paint } from "../../support/pictures.ts";
import { startTestSite, until, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";
import { buildZip } from "../../support/zip.ts";

const post = (title: string, body = "Words.") => `---\ntitle: ${title}\ndate: 2020-01-02\n---\n${body}\n`;

async function finishedRun(person: SignedInBrowser) {
  const run = await endedRun(person);
  return { run, report: await reportOf(person, run.id) };
}
const uploadedFiles = (testSite: TestSite) => testSite.storedFiles("imports", 1);

test("a job imports an upload, notifies no followers, and leaves no file behind", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const fan = await testSite.createAccount("Fan");
  await fan.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const zip = buildZip([
    { name: "a.md", bytes: post("A", "![p](p.png)") },
    { name: "b.md", bytes: post("B") },
    { name: "p.png", bytes: await paint(30, 20, "png") },
  ]);
  const { status, body } = await sendImport(ana, zip);
  expect([status, typeof body.id]).toEqual([200, "string"]);
  const { run, report } = await finishedRun(ana);
  expect(run).toMatchObject({ id: body.id, state: "done", name: "site.zip", blogs: 2, problem: null });
  expect(report).toMatchObject({ imported: 2, pictures: 1, problems: [] });
  expect(testSite.rows("select kind from notifications where kind <> 'follow'")).toEqual([]);
  expect(
    (await ana.api.blogs.mine.query({})).blogs.map(({ publishedAt }) => publishedAt.slice(0, 10)),
  ).toEqual(["2020-01-02", "2020-01-02"]);
  await until(async () => (await uploadedFiles(testSite)).length === 0);
  await ana.api.imports.undo.mutate({ id: run.id });
  await until(async () => (await finishedRun(ana)).run.state === "undone");
  expect((await ana.api.blogs.mine.query({})).blogs).toEqual([]);
});

test("lists imports without reading their reports", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await sendImport(ana, buildZip([{ name: "a.md", bytes: post("A") }]));
  const { report } = await finishedRun(ana);
  expect(report).toMatchObject({ imported: 1 });
  const { read } = testSite.app.services.database;
  for (const authorId of [ana.me.id, undefined]) {
    const [row] = await listRuns(read, { ...(authorId && { authorId }), limit: 20 });
    expect(row).toMatchObject({ state: "done", name: "site.zip" });
    expect(row).not.toHaveProperty("report");
  }
});

test("shows the first 500 report lines of a kind, and offers all of them to the account alone", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const files = Array.from({ length: 620 }, (_, index) => ({
    name: `about/${index}/README.md`,
    bytes: "# Read me\n",
  }));
  await sendImport(
    ana,
    buildZip([{ name: "a.md", bytes: post("A") }, { name: "b.md", bytes: "Words.\n" }, ...files]),
  );
  const { run, report } = await finishedRun(ana);
  expect(report).toMatchObject({ imported: 2, more: 120 });
  expect(report?.leftOut).toHaveLength(500);
  const answer = await ana.fetch(`/settings/import/${run.id}.txt`);
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  const lines = (await answer.text()).trim().split("\n");
  expect(lines).toHaveLength(622);
  expect(lines).toContain("b.md: It has no title.");
  expect(lines.at(-1)).toBe("about/99/README.md: skipped: about the folder, not a post");
  expect((await ben.fetch(`/settings/import/${run.id}.txt`)).status).toBe(404);
});

test("refuses an upload that cannot be imported before it begins, with a reason, and keeps nothing", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  for (const [bytes, reason] of [
    [Buffer.from("Hm."), "no Markdown files"],
    [buildZip([{ name: "posts.csv", bytes: "a" }]), "looks like an export from Substack"],
    [buildZip([{ name: "a.md", bytes: post("A") }]).subarray(0, 60), "ZIP file is incomplete"],
    [Buffer.alloc(0), "Please choose a file"],
  ] as const) {
    const { status, body } = await sendImport(ana, bytes);
    expect([status, body.message]).toEqual([400, expect.stringContaining(reason)]);
  }
  for (const query of [
    "kind=everything&name=a",
    "name=a",
    "kind=markdown",
    "kind=markdown&name=a&again=perhaps",
  ])
    expect((await sendImport(ana, Buffer.from("x"), query)).status).toBe(400);
  expect((await ana.api.imports.list.query()).runs).toEqual([]);
  expect(await uploadedFiles(testSite)).toEqual([]);
});

test(
  "runs one import at a time, stops it on request, and undoes what came in",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const ana = await testSite.createAccount("Ana");
    const zip = buildZip(
      Array.from({ length: 3_000 }, (_, index) => ({
        name: `${index}.md`,
        bytes: post(`Post ${index}`),
        method: 0,
      })),
    );
    const { body } = await sendImport(ana, zip);
    expect(await sendImport(ana, zip)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("in progress") },
    });
    await until(async () => ((await ana.api.imports.list.query()).runs[0]?.done ?? 0) > 10);
    await ana.api.imports.stop.mutate({ id: body.id ?? "" });
    const { run } = await finishedRun(ana);
    expect(run.state).toBe("cancelled");
    expect(run.blogs).toBeGreaterThan(10);
    expect(run.blogs).toBeLessThan(3_000);
    await ana.api.imports.undo.mutate({ id: run.id });
    await until(async () => (await finishedRun(ana)).run.state === "undone");
    expect((await ana.api.blogs.mine.query({})).blogs).toEqual([]);
  },
);

test("skips pictures above the quota, and imports posts with more links than a new account may use as drafts", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const boss = await testSite.createAccount("Boss");
  await testSite.app.services.database.write((tx) =>
    Promise.resolve(execute(tx, `update users set is_admin = 1 where id = '${boss.me.id}'`)),
  );
  await boss.api.administration.setSite.mutate({ storageMb: "1", firstDayBlogs: "1", dailyBlogs: "1" });
  const ana = await testSite.createAccount("Ana");
  const picture = Buffer.concat([await paint(30, 20, "png"), Buffer.alloc(1_100_000)]);
  const links = "[a](https://example.org/a) [b](https://example.org/b)";
  const { status } = await sendImport(
    ana,
    buildZip([
      { name: "a.md", bytes: post("A", "![p](p.png)") },
      { name: "b.md", bytes: post("B", links) },
      { name: "c.md", bytes: post("C") },
      { name: "p.png", bytes: picture },
    ]),
  );
  expect(status).toBe(200);
  const { report } = await finishedRun(ana);
  expect(report).toMatchObject({ imported: 3, pictures: 0 });
  expect(report?.problems[0]).toMatchObject({
    file: "a.md",
    problem: expect.stringContaining("can take up"),
  });
  expect(report?.drafts).toEqual([{ file: "b.md", reason: expect.stringContaining("first day") }]);
});
