import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, test } from "vitest";
import { checkFile } from "../../../src/server/imports/import-process.ts";
import { ghostExport, postOf } from "../../support/exports/ghost.ts";
import { openBrowser, signUpAndSignIn } from "../../support/browser.ts";
import { entry } from "../../support/entry.ts";
import { createFolder } from "../../support/import-folder.ts";
import { endedRun, newestRun, reportOf, sendImport } from "../../support/import-upload.ts";
import { startServer } from "../../support/server.ts";
import { startTestSite, until, type Browser } from "../../support/test-site.ts";
import { buildZip } from "../../support/zip.ts";

/* An upload is imported in a process of its own, whose end does not harm the server. */

const posts = (count: number) =>
  buildZip(
    Array.from({ length: count }, (_, at) => ({
      name: `${at}.md`,
      bytes: `---\ntitle: Post ${at}\ndate: 2020-01-02\n---\nWords.\n`,
    })),
  );

const hasBegun = (person: Browser) => until(async () => ((await newestRun(person))?.done ?? 0) > 10);

/** Returns the ids of the processes that import a run. */
const processesOf = (runId: string): number[] =>
  execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`import run ${runId}`))
    .map((line) => Number.parseInt(line, 10));

test("a killed process ends only its import, which says so, and the same file continues it", async () => {
  await using site = await startTestSite();
  const ana = await site.createAccount("Ana");
  const zip = posts(200);
  const { body } = await sendImport(ana, zip);
  await hasBegun(ana);
  const [pid] = processesOf(body.id ?? "");
  process.kill(pid ?? 0, "SIGKILL");
  const run = await endedRun(ana);
  expect(run).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("The import was interrupted"),
  });
  expect(run.blogs).toBeGreaterThan(10);
  expect(run.blogs).toBeLessThan(200);
  expect((await site.browser().fetch("/home")).status).toBe(200);
  const again = await sendImport(ana, zip);
  await until(async () => (await newestRun(ana))?.id === again.body.id);
  expect(await endedRun(ana)).toMatchObject({ state: "done", blogs: 200 - run.blogs });
});

test("stopping an import ends its process", async () => {
  await using site = await startTestSite();
  const ana = await site.createAccount("Ana");
  const { body } = await sendImport(ana, posts(3_000));
  await hasBegun(ana);
  await ana.api.imports.stop.mutate({ id: body.id ?? "" });
  expect(await endedRun(ana)).toMatchObject({ state: "cancelled", problem: null });
  expect(processesOf(body.id ?? "")).toEqual([]);
  expect((await reportOf(ana, body.id ?? ""))?.imported).toBeGreaterThan(10);
});

test("no process stays when the server is killed or stopped", async () => {
  await using data = await createFolder({});
  const dataDir = data.folder;
  const settings: Record<string, string> = { DATA_DIR: dataDir };
  let server = await startServer(settings);
  settings.PORT = String(server.port);
  try {
    const ana = await signUpAndSignIn(openBrowser(server.url), "Ana", path.join(dataDir, "outbox"));
    const { body } = await sendImport(ana, posts(3_000));
    const id = body.id ?? "";
    await hasBegun(ana);
    expect(processesOf(id)).toHaveLength(1);
    await server.kill();
    await until(() => processesOf(id).length === 0);
    server = await startServer(settings);
    await until(() => processesOf(id).length === 1);
    await server.stop();
    await until(() => processesOf(id).length === 0);
  } finally {
    await server.kill();
  }
});

test("a process whose server was killed as it started ends at once", async () => {
  await using folder = await createFolder({ "a.md": "---\ntitle: A\n---\nWords.\n" });
  const start = () =>
    fork(entry("reprise"), ["import", "check", "markdown", folder.folder], { silent: true });
  const orphan = start();
  orphan.disconnect();
  expect((await once(orphan, "exit"))[0]).toBe(1);
  expect((await once(start(), "exit"))[0]).toBe(0);
});

test("ends a process that needs too much memory or time with a message", async () => {
  await using site = await startTestSite();
  const texts = Array.from({ length: 60 }, (_, at) => ({
    id: `${at}`,
    post_id: `${at}`,
    x: "y".repeat(1_000_000),
  }));
  const large = JSON.stringify({ db: [{ meta: {}, data: { posts: [], posts_meta: texts } }] });
  await using folder = await createFolder({
    "large.json": large,
    "a.ghost.json": ghostExport([postOf(1, {})]),
  });
  const check = (name: string, limits: { megabytes?: number; idle?: number }) => {
    const file = { kind: "ghost", file: path.join(folder.folder, name), name } as const;
    return checkFile(site.app.services, file, { signal: AbortSignal.timeout(60_000), limits });
  };
  await expect(check("large.json", { megabytes: 40 })).rejects.toThrow(
    "needs more memory than an import can use",
  );
  await expect(check("a.ghost.json", { idle: 1 })).rejects.toThrow("takes too long to read");
  expect(await check("a.ghost.json", {})).toEqual({ detected: "ghost", problem: null });
});
