import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { paint } from "../support/pictures.ts";
import { startTown, until, type Resident, type Town } from "../support/town.ts";
import { zipOf } from "../support/zip.ts";

const post = (title: string, body = "Words.") => `---\ntitle: ${title}\ndate: 2020-01-02\n---\n${body}\n`;

async function send(who: Resident, bytes: Buffer, query = "kind=markdown&name=site.zip") {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), "file");
  const answer = await who.fetch(`/settings/import?${query}`, { method: "POST", body: form });
  return { status: answer.status, said: (await answer.json()) as { id?: string; message?: string } };
}

async function ended(who: Resident) {
  return until(async () => {
    const [run] = (await who.api.imports.list.query()).runs;
    if (!run || /waiting|running|stopping|undoing/.test(run.state)) return undefined;
    return { run, report: (await who.api.imports.report.query({ id: run.id })).report };
  });
}
const kept = (town: Town) => readdir(path.join(town.config.dataDir, "imports")).catch(() => []);

test("an upload is imported by a job, tells followers nothing, and leaves no file behind", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const fan = await town.resident("Fan");
  await fan.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const zip = zipOf([
    { name: "a.md", bytes: post("A", "![p](p.png)") },
    { name: "b.md", bytes: post("B") },
    { name: "p.png", bytes: await paint(30, 20, "png") },
  ]);
  const { status, said } = await send(ana, zip);
  expect([status, typeof said.id]).toEqual([200, "string"]);
  const { run, report } = await ended(ana);
  expect(run).toMatchObject({ id: said.id, state: "done", name: "site.zip", blogs: 2, problem: null });
  expect(report).toMatchObject({ imported: 2, pictures: 1, problems: [] });
  expect(town.rows("select kind from notifications where kind <> 'follow'")).toEqual([]);
  expect(
    (await ana.api.blogs.mine.query({})).blogs.map(({ publishedAt }) => publishedAt.slice(0, 10)),
  ).toEqual(["2020-01-02", "2020-01-02"]);
  await until(async () => (await kept(town)).length === 0);
  await ana.api.imports.undo.mutate({ id: run.id });
  await until(async () => (await ended(ana)).run.state === "undone");
  expect((await ana.api.blogs.mine.query({})).blogs).toEqual([]);
});

test("what can't be imported is refused before it begins, says what it is, and leaves nothing", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  for (const [bytes, reason] of [
    [Buffer.from("Hm."), "no Markdown files"],
    [zipOf([{ name: "posts.csv", bytes: "a" }]), "looks like an export from Substack"],
    [zipOf([{ name: "a.md", bytes: post("A") }]).subarray(0, 60), "ZIP file is incomplete"],
    [Buffer.alloc(0), "Please choose a file"],
  ] as const) {
    const { status, said } = await send(ana, bytes, "kind=markdown&name=site.zip");
    expect([status, said.message]).toEqual([400, expect.stringContaining(reason)]);
  }
  for (const query of [
    "kind=everything&name=a",
    "name=a",
    "kind=markdown",
    "kind=markdown&name=a&again=perhaps",
  ])
    expect((await send(ana, Buffer.from("x"), query)).status).toBe(400);
  expect((await ana.api.imports.list.query()).runs).toEqual([]);
  expect(await kept(town)).toEqual([]);
});

test(
  "an import of many is stopped where somebody wishes, one at a time, and what came in can be taken back",
  { tags: ["more"] },
  async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    const zip = zipOf(
      Array.from({ length: 3_000 }, (_, at) => ({ name: `${at}.md`, bytes: post(`Post ${at}`), method: 0 })),
    );
    const { said } = await send(ana, zip);
    expect(await send(ana, zip)).toMatchObject({
      status: 409,
      said: { message: expect.stringContaining("in progress") },
    });
    await until(async () => ((await ana.api.imports.list.query()).runs[0]?.done ?? 0) > 10);
    await ana.api.imports.stop.mutate({ id: said.id ?? "" });
    const { run } = await ended(ana);
    expect(run.state).toBe("cancelled");
    expect(run.blogs).toBeGreaterThan(10);
    expect(run.blogs).toBeLessThan(3_000);
    await ana.api.imports.undo.mutate({ id: run.id });
    await until(async () => (await ended(ana)).run.state === "undone");
    expect((await ana.api.blogs.mine.query({})).blogs).toEqual([]);
  },
);

test("what an upload may not: more pictures than an account has room for, and on a first day more links", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const boss = await town.resident("Boss");
  await town.app.parts.database.write((tx) =>
    Promise.resolve(tx.drizzle.run(`update users set is_admin = 1 where id = '${boss.me.id}'`)),
  );
  await boss.api.moderation.setSite.mutate({ storageMb: "0", firstDayBlogs: "1", dailyBlogs: "1" });
  const ana = await town.resident("Ana");
  const links = "[a](https://example.org/a) [b](https://example.org/b)";
  const { status } = await send(
    ana,
    zipOf([
      { name: "a.md", bytes: post("A", "![p](p.png)") },
      { name: "b.md", bytes: post("B", links) },
      { name: "c.md", bytes: post("C") },
      { name: "p.png", bytes: await paint(30, 20, "png") },
    ]),
  );
  expect(status).toBe(200);
  const { report } = await ended(ana);
  expect(report).toMatchObject({ imported: 3, pictures: 0 });
  expect(report?.problems[0]).toMatchObject({
    file: "a.md",
    problem: expect.stringContaining("can take up"),
  });
  expect(report?.drafts).toEqual([{ file: "b.md", reason: expect.stringContaining("first day") }]);
});
