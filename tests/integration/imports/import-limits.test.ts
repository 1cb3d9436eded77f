import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { execute, rowsOf } from "../../../src/server/database/connection.ts";
import { openServicesForCommand } from "../../../src/server/commands/services.ts";
import { beginRun, uploadKey } from "../../../src/server/imports/import-runs.ts";
import { importJob, uploadImportJob } from "../../../src/server/imports/jobs.ts";
import { runById } from "../../../src/server/imports/queries.ts";
import { enqueue } from "../../../src/server/jobs/jobs.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { userByUsername } from "../../../src/server/profiles/queries.ts";
import { reprise } from "../../support/command.ts";
import { createFolder } from "../../support/import-folder.ts";
import { reportOf, sendImport } from "../../support/import-upload.ts";
import { ghostExport, postOf } from "../../support/exports/ghost.ts";
import { databaseSettings } from "../../support/postgres.ts";
import { startTestSite, until, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";
import { buildZip } from "../../support/zip.ts";

/* What one account's import may take from the others: the feed's first pages, disk space and time. */

const post = (title: string, date: string | null = "2020-01-02", body = "Words.") =>
  `---\ntitle: ${title}\n${date === null ? "" : `date: ${date}\n`}---\n${body}\n`;

const zipOf = (posts: Record<string, string>): Buffer =>
  buildZip(Object.entries(posts).map(([name, bytes]) => ({ name: `${name}.md`, bytes })));

const ghostFile = "kind=ghost&name=site.json";

async function finishedRun(site: TestSite, person: SignedInBrowser) {
  // Requests are limited.
  const active = `state in ('waiting', 'running', 'stopping', 'undoing') and author_id = '${person.me.id}'`;
  await until(() => site.rows(`select id from import_runs where ${active}`).length === 0, "the import ended");
  const [run] = (await person.api.imports.list.query()).runs;
  return { run: run!, report: (await reportOf(person, run!.id))! };
}

async function startWithLimits(
  bounds: Record<string, string>,
): Promise<{ site: TestSite; ana: SignedInBrowser }> {
  const site = await startTestSite({ RATE_LIMIT: "on" });
  const [boss, ana] = [await site.createAccount("Boss"), await site.createAccount("Ana")];
  await boss.api.administration.setSite.mutate(bounds);
  return { site, ana };
}

const day = 24 * 60 * 60;
// Counts belong to one day (UTC): shortly before midnight a test waits for the next day.
beforeEach(async () => {
  const secondsLeft = day - (Math.floor(Date.now() / 1_000) % day);
  if (secondsLeft < 120) await sleep(secondsLeft * 1_000);
});

test("counts new dates as today's blogs, makes drafts of the rest, and keeps old dates", async () => {
  const { site, ana } = await startWithLimits({ dailyBlogs: "3" });
  await using _ = site;
  const now = new Date(Date.now() - 60_000).toISOString();
  const posts = {
    ...Object.fromEntries([1, 2].map((number) => [`undated-${number}`, post(`Undated ${number}`, null)])),
    ...Object.fromEntries([1, 2, 3].map((number) => [`new-${number}`, post(`New ${number}`, now)])),
    ...Object.fromEntries([1, 2, 3, 4].map((number) => [`old-${number}`, post(`Old ${number}`)])),
  };
  await sendImport(ana, zipOf(posts));
  const { report } = await finishedRun(site, ana);
  expect(report).toMatchObject({ imported: 9, problems: [] });
  expect(report.drafts.map(({ reason }) => reason)).toEqual(
    Array(2).fill(expect.stringContaining("limit of new blogs")),
  );
  const published = site.rows<{ title: string }>("select title from blogs where draft = 0");
  expect(published.filter(({ title }) => title.startsWith("Old"))).toHaveLength(4);
  expect(published).toHaveLength(7);
  const recent = `draft = 0 and published_at > ${Date.now() - 7 * day * 1_000}`;
  expect(site.rows(`select id from blogs where ${recent}`)).toHaveLength(3);
  // Nor does a second import publish the drafts, or give old blogs a new date.
  const undated = Object.fromEntries([1, 2].map((number) => [`undated-${number}`, post("Again", null)]));
  await sendImport(ana, zipOf(undated));
  await finishedRun(site, ana);
  const ghost = (published_at: string) =>
    Buffer.from(ghostExport([postOf(1, { published_at, title: `Written on ${published_at}` })]));
  await sendImport(ana, ghost("2020-01-02T03:04:05.000Z"), ghostFile);
  expect((await finishedRun(site, ana)).report).toMatchObject({ imported: 1, drafts: [] });
  await sendImport(ana, ghost(now), ghostFile);
  expect((await finishedRun(site, ana)).report.kept).toEqual([
    { file: "posts/post-1", reason: expect.stringContaining("limit of new blogs") },
  ]);
  expect(site.rows(`select id from blogs where ${recent}`)).toHaveLength(3);
});

test("refuses texts that the account's storage has no room for, before and during an import", async () => {
  const { site, ana } = await startWithLimits({ storageMb: "1" });
  await using _ = site;
  const textOf = (length: number, seed: number) =>
    Array.from({ length: length / 8 }, (_word, index) =>
      ((index + 1) * seed * 7919).toString(36).padStart(7),
    ).join(" ");
  const postsOf = (count: number, length: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_post, at) => [
        `${at}`,
        post(`Post ${at}`, "2020-01-02", textOf(length, at + 1)),
      ]),
    );
  await sendImport(ana, zipOf(postsOf(15, 100_000)));
  const before = await finishedRun(site, ana);
  expect(before.run).toMatchObject({ state: "failed", blogs: 0 });
  expect(before.run.problem).toMatch(/storage is full: .* 1 MB .* Nothing was imported/);
  // They fit as they are, but not with their pages and versions.
  await sendImport(ana, zipOf(postsOf(9, 100_000)));
  const during = await finishedRun(site, ana);
  expect(during.run).toMatchObject({
    state: "failed",
    problem: expect.stringMatching(/storage is full.* were kept/),
  });
  expect(during.run.blogs).toBeGreaterThan(0);
  expect(during.run.blogs).toBeLessThan(9);
  expect(during.report.problems.at(-1)?.problem).toContain("storage is full");
  const [stored] = site.rows<{ bytes: number }>(
    "select sum(octet_length(document) + octet_length(html)) as bytes from blogs",
  );
  expect(stored!.bytes).toBeLessThan(1_300_000);
});

test("imports of several accounts take turns", async () => {
  await using site = await startTestSite();
  const [ana, ben] = [await site.createAccount("Ana"), await site.createAccount("Ben")];
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${at}`, post(`Post ${at}`)]));
  const { body } = await sendImport(ana, zipOf(many));
  await until(async () => ((await ana.api.imports.list.query()).runs[0]?.done ?? 0) > 3);
  await sendImport(ben, zipOf({ one: post("One"), two: post("Two") }));
  expect((await finishedRun(site, ben)).report).toMatchObject({ imported: 2 });
  expect((await ana.api.imports.list.query()).runs[0]?.state).toBe("running");
  await ana.api.imports.stop.mutate({ id: body.id ?? "" });
  await finishedRun(site, ana);
});

test("an import gives its place to one that waits, and resumes where it was", async () => {
  await using folder = await createFolder({});
  const DATA_DIR = folder.folder;
  expect((await reprise(DATA_DIR, ["user", "add", "ana", "--email", "ana@example.org"])).code).toBe(0);
  // Services without a job runner.
  const services = await openServicesForCommand({ DATA_DIR, ...(await databaseSettings(DATA_DIR)) });
  const { database, config } = services;
  const { id: authorId } = (await userByUsername(database.read, "ana"))!;
  const options = {};
  const runId = await beginRun(services, {
    authorId,
    kind: "markdown",
    name: "site.zip",
    local: false,
    options,
    state: "waiting",
  });
  const file = path.join(config.dataDir, uploadKey(runId));
  await mkdir(path.dirname(file), { recursive: true });
  const names = Array.from({ length: 30 }, (_, index) => `${index}`);
  await writeFile(file, zipOf(Object.fromEntries(names.map((name) => [name, post(name)]))));
  const run = async () => {
    const job = { id: newId(), attempt: 1, signal: new AbortController().signal };
    await uploadImportJob({ turn: 0 }).run(services, { runId }, job);
    return (await runById(database.read, runId))!;
  };
  const waiting = await database.write((tx) => enqueue(tx, importJob, { runId: "another" }));
  const counts: number[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const { state, done } = await run();
    expect(state).toBe("waiting");
    counts.push(done);
  }
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts[1]).toBeGreaterThan(counts[0]!);
  expect(counts[1]).toBeLessThan(30);
  const jobs = await rowsOf<{ id: string }>(database.read, "select id from jobs order by due_at, id");
  expect(jobs[0]?.id).toBe(waiting);
  await database.write((tx) => Promise.resolve(execute(tx, "delete from jobs")));
  const { state, report } = await run();
  expect([state, JSON.parse(report ?? "{}")]).toMatchObject(["done", { imported: 30, problems: [] }]);
  await services.workers.close();
  await services.readers.close();
  await services.database.close();
});
