// @module-tag more
import path from "node:path";
import { expect, test } from "vitest";
import { rowsOf } from "../../../src/server/database/connection.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { signUpAndSignIn, openBrowser } from "../../support/browser.ts";
import { createFolder } from "../../support/import-folder.ts";
import { newestRun, reportOf, sendImport } from "../../support/import-upload.ts";
import { reprise } from "../../support/command.ts";
import { besideServer } from "../../support/second-database.ts";
import { startServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { buildZip } from "../../support/zip.ts";

const post = (index: number) =>
  `---\ntitle: Post ${index}\ndate: 2020-01-02\nslug: post-${index}\n---\n[next](${(index + 1) % 400}.md) and [gone](gone.md)\n`;
const files = Array.from({ length: 400 }, (_, index) => ({ name: `${index}.md`, bytes: post(index) }));

const storedBlogs = (dataDir: string) =>
  besideServer(dataDir, async ({ read }) => ({
    rows: await rowsOf<{ slug: string; html: string; id: string }>(read, "select slug, html, id from blogs"),
    known: (await rowsOf(read, "select count(*) as count from imports where blog_id is not null"))[0],
    // PostgreSQL lets no reference break.
    broken: isPostgres ? [] : await rowsOf(read, "pragma foreign_key_check"),
  }));

test("an import whose server is killed twice resumes by itself, with no post twice or incomplete", async () => {
  await using data = await createFolder({});
  const dataDir = data.folder;
  const settings: Record<string, string> = { DATA_DIR: dataDir };
  let server = await startServer(settings);
  settings.PORT = String(server.port);
  try {
    const ana = await signUpAndSignIn(openBrowser(server.url), "Ana", path.join(dataDir, "outbox"));
    expect((await sendImport(ana, buildZip(files))).status).toBe(200);
    for (const minimum of [20, 150]) {
      await until(async () => (await storedBlogs(dataDir)).rows.length >= minimum);
      await server.kill();
      const { rows, known: sources, broken } = await storedBlogs(dataDir);
      expect(rows.length).toBeLessThan(400);
      expect(sources).toEqual({ count: rows.length });
      expect(broken).toEqual([]);
      server = await startServer(settings);
    }
    await until(async () => (await newestRun(ana))?.state === "done");
    const { rows } = await storedBlogs(dataDir);
    expect(rows).toHaveLength(400);
    // Links written before a kill lead to posts imported after it.
    const slugs = new Set(rows.map(({ slug }) => slug));
    for (const { html } of rows) expect(slugs).toContain(/\/blog\/([^"#]+)"/.exec(html)?.[1]);
    const report = await reportOf(ana, (await newestRun(ana))?.id ?? "");
    // The report keeps the problems of posts imported before the kill.
    expect([report?.imported, report?.problems.length]).toEqual([400, 400]);
  } finally {
    await server.kill();
  }
}, 240_000);

test("an import command that was killed continues the same import when it is run again", async () => {
  await using source = await createFolder(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])));
  await using data = await createFolder({});
  const dataDir = data.folder;
  await reprise(dataDir, ["user", "add", "ana", "--email", "ana@example.org"]);
  const args = ["import", "markdown", source.folder, "--author", "ana"];
  const abort = new AbortController();
  const first = reprise(dataDir, args, {}, abort.signal);
  await until(async () => (await storedBlogs(dataDir)).rows.length >= 20);
  abort.abort();
  await first;
  expect((await storedBlogs(dataDir)).rows.length).toBeLessThan(400);
  const second = await reprise(dataDir, args);
  expect(second.output).toContain("Imported 400 blogs");
  expect((await storedBlogs(dataDir)).rows).toHaveLength(400);
  const runs = (await reprise(dataDir, ["import", "list", "--json"])).json;
  expect(runs).toMatchObject([{ state: "done", blogs: 400 }]);
  expect(runs).toHaveLength(1);
}, 240_000);
