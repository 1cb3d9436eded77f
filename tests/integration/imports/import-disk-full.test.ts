import { execute } from "../../../src/server/database/connection.ts";
// @module-tag more
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { endedRun, newestRun, sendImport } from "../../support/import-upload.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { mountSmallDisk } from "../../support/small-disk.ts";
import { startTestSite, until } from "../../support/test-site.ts";
import { aBlog, paragraphs } from "../../support/sample-content.ts";
import { buildZip } from "../../support/zip.ts";

const words = "moss owl lantern river stone quiet letter harbour winter glass field paper".split(" ");
const text = (seed: number) =>
  Array.from({ length: 900 }, (_, index) => words[(index * seed + (index >> 3)) % words.length]).join(" ");
const posts = 1_000;
const zip = buildZip(
  Array.from({ length: posts }, (_, index) => ({
    name: `${index}.md`,
    bytes: `---\ntitle: Post ${index}\ndate: 2020-01-02\n---\n${text(index + 1)}\n`,
  })),
);

test.skipIf(isPostgres)(
  "an import stops without an incomplete post when the disk is full, and continues once there is room",
  async ({ skip }) => {
    using disk = mountSmallDisk(20);
    if (!disk) return skip();
    const dataDir = path.join(disk.folder, "data");
    await mkdir(dataDir);
    await using testSite = await startTestSite({ DATA_DIR: dataDir });
    const ana = await testSite.createAccount("Ana");
    const count = (query: string) => testSite.rows(query).length;
    const imported = () => count("select source from imports where blog_id is not null");
    expect((await sendImport(ana, zip)).status).toBe(200);
    const isRefused = () =>
      ana.api.blogs.create.mutate(aBlog({ document: paragraphs(text(1).repeat(40)) })).then(
        () => false,
        (error: Error) => error.message.includes("disk is full"),
      );
    await until(() => imported() > 100, "much of it");
    await until(isRefused, "a disk without room");
    // The failure is stored, or there is no room for that either: then the run resumes by itself.
    await until(async () => (await newestRun(ana))?.state === "failed" || isRefused(), "a run without room");
    const importedCount = imported();
    expect(importedCount).toBeGreaterThan(20);
    expect(importedCount).toBeLessThan(posts);
    // Every post is complete; one that was only begun is missing.
    expect(count("select id from blogs where html = '' or text = ''")).toBe(0);
    expect(testSite.rows("pragma foreign_key_check")).toEqual([]);
    expect((await testSite.browser().fetch("/")).status).toBe(200);

    disk.grow(400);
    // Not after the pause before the next attempt, which grows with each on a slow machine.
    await testSite.write(async (tx) => {
      await execute(tx, sql`update jobs set due_at = 1 where name = 'import'`);
      tx.signal(jobsTopic);
    });
    const first = await endedRun(ana);
    if (first.state === "failed") {
      expect(first.problem).toContain("disk is full");
      expect((await sendImport(ana, zip)).status).toBe(200);
    }
    expect(await endedRun(ana)).toMatchObject({ state: "done", problem: null });
    expect(imported()).toBe(posts);
    expect(count("select id from blogs where title like 'Post %'")).toBe(posts);
    // The upload is deleted with its job, after the page gets the end of the run.
    for (const folder of ["imports", "tmp"])
      await until(
        async () => (await readdir(path.join(dataDir, folder)).catch(() => [])).length === 0,
        `nothing in ${folder}`,
      );
  },
  300_000,
);
