import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { beginRun, uploadKey } from "../../../src/server/imports/import-runs.ts";
import { uploadImportJob } from "../../../src/server/imports/jobs.ts";
import { runById } from "../../../src/server/imports/queries.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { paint, upload } from "../../support/pictures.ts";
import { S3 } from "../../support/s3.ts";
import { aBlog, password, startTestSite, until } from "../../support/test-site.ts";
import { buildZip } from "../../support/zip.ts";

describe.skipIf(!isPostgres).each(["a bucket", "a folder"])(
  "two servers with %s for their files",
  (place) => {
    async function startTwo() {
      const s3 = place === "a bucket" ? await S3.start() : undefined;
      const settings = s3 && { S3_URL: s3.url() };
      const one = await startTestSite(settings);
      const other = await startTestSite({
        ...(settings ?? { DATA_DIR: one.config.dataDir }),
        DATABASE_URL: one.config.databaseUrl ?? "",
      });
      const dispose = async () => {
        await other[Symbol.asyncDispose]();
        await one[Symbol.asyncDispose]();
        await s3?.[Symbol.asyncDispose]();
      };
      return { one, other, s3, [Symbol.asyncDispose]: dispose };
    }

    test("one shows a picture that the other received, and serves the export that the other made", async () => {
      await using servers = await startTwo();
      const { one, other } = servers;
      const ana = await one.createAccount("Ana");
      const cover = await upload(ana, await paint());
      await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
      for (const site of [one, other]) expect((await fetch(site.url + cover.src)).status).toBe(200);
      await ana.api.exports.begin.mutate({ password });
      const state = await until(async () => {
        const now = await ana.api.exports.state.query();
        return now.state === "ready" ? now : undefined;
      }, "the export");
      for (const site of [one, other]) {
        const answer = await site.browser(ana.cookie).fetch("/settings/export/file");
        expect((await answer.arrayBuffer()).byteLength).toBe(state.bytes);
      }
    });

    test("one imports an upload that the other received, and tries again after S3 was away", async () => {
      await using servers = await startTwo();
      const { one, other, s3 } = servers;
      const ana = await one.createAccount("Ana");
      const { services } = other.app;
      const runId = await beginRun(one.app.services, {
        authorId: ana.me.id,
        kind: "markdown",
        name: "site.zip",
        local: false,
        options: {},
        state: "waiting",
      });
      const zip = buildZip([{ name: "a.md", bytes: "---\ntitle: A\n---\nWords.\n" }]);
      await one.app.services.files.put(uploadKey(runId), (part) => writeFile(part, zip));
      const run = async () => {
        const job = { id: newId(), attempt: 1, signal: new AbortController().signal };
        await uploadImportJob().run(services, { runId }, job);
      };
      if (s3) {
        s3.fault = "away";
        await expect(run()).rejects.toMatchObject({ code: "unavailable" });
        s3.fault = "none";
      }
      await run();
      expect(await runById(services.database.read, runId)).toMatchObject({ state: "done", problem: null });
      expect((await ana.api.blogs.mine.query({})).blogs.map(({ title }) => title)).toEqual(["A"]);
      expect(await one.storedFiles("imports", 1)).toEqual([]);
    });
  },
);
