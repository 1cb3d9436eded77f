import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { forgetExports } from "../../src/server/exports/folder.ts";
import { exportLimits } from "../../src/shared/exports.ts";
import { aBlog, password, refusal, startTown, until, type Resident, type Town } from "../support/town.ts";
import { unzip } from "../support/unzip.ts";

const get = (town: Town, cookie = "", address = "/settings/export/file") =>
  fetch(town.url + address, { headers: { cookie }, redirect: "manual" });
const ready = (who: Resident) =>
  until(async () => (await who.api.exports.state.query()).state !== "making", "the export's end");

test("one asks for all that is one's own, sees how far it is, and alone gets the file", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  await ana.api.blogs.create.mutate(aBlog({ slug: "owls" }));
  expect(await ana.api.exports.state.query()).toMatchObject({ state: "none" });
  expect(await refusal(ana.api.exports.begin.mutate({ password: "not this one" }))).toMatchObject({
    code: "FORBIDDEN",
    field: "password",
  });
  expect(await ana.api.exports.begin.mutate({ password })).toMatchObject({ state: "making" });
  for (const call of [
    () => ana.api.exports.begin.mutate({ password }),
    () => ana.api.exports.remove.mutate(),
  ])
    expect(await refusal(call())).toMatchObject({ code: "CONFLICT" });
  await ready(ana);
  const state = await ana.api.exports.state.query();
  expect(state).toMatchObject({ state: "ready" });
  if (state.state !== "ready") return;

  const answer = await get(town, ana.cookie);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "private, no-store",
    "content-disposition": expect.stringContaining(`attachment; filename="${ana.me.username}-`),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBe(state.bytes);
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-export-"));
  await writeFile(path.join(folder, "a.zip"), bytes);
  const files = await unzip(path.join(folder, "a.zip"));
  expect(files.has("blogs/owls.md")).toBe(true);
  await rm(folder, { recursive: true });

  expect((await get(town)).headers.get("location")).toContain("/signin?next=");
  expect((await get(town, ben.cookie)).headers.get("location")).toBe("/settings/export");
  expect(await ben.api.exports.state.query()).toMatchObject({ state: "none" });
  await ana.api.exports.remove.mutate();
  expect((await get(town, ana.cookie)).status).toBe(302);
});

test(
  "a file is kept for a while, goes with its account, and one that could not be made says so",
  { tags: ["more"] },
  async () => {
    await using town = await startTown();
    const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
    const exports = path.join(town.config.dataDir, "exports");
    for (const who of [ana, ben]) {
      await who.api.exports.begin.mutate({ password });
      await ready(who);
    }
    expect((await readdir(exports)).sort()).toEqual([ana.me.id, ben.me.id].sort());
    await ben.api.users.remove.mutate({ password });
    await forgetExports(town.app.parts, Date.now());
    expect(await readdir(exports)).toEqual([ana.me.id]);
    await forgetExports(town.app.parts, Date.now() + exportLimits.keptFor + 1000);
    expect(await readdir(exports)).toEqual([]);
    expect(await ana.api.exports.state.query()).toMatchObject({ state: "none" });

    // Something stands where the file is to be.
    await rm(exports, { recursive: true });
    await writeFile(exports, "");
    await ana.api.exports.begin.mutate({ password });
    await ready(ana);
    expect(await ana.api.exports.state.query()).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("again"),
    });
    await rm(exports);
    await ana.api.exports.begin.mutate({ password });
    await ready(ana);
    expect(await ana.api.exports.state.query()).toMatchObject({ state: "ready" });
  },
);

test("an export that a server's end cut off is made by the next one", { tags: ["more"] }, async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-test-"));
  const settings = { DATA_DIR: dataDir };
  const town = await startTown(settings);
  const ana = await town.resident("Ana");
  await ana.api.exports.begin.mutate({ password });
  await town.app.close();
  await using again = await startTown(settings);
  const back = again.browser(ana.cookie);
  await until(async () => (await back.api.exports.state.query()).state === "ready", "the export's end");
  expect((await get(again, ana.cookie)).status).toBe(200);
});

test("one blog is had as Markdown and as a page", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await ana.api.blogs.create.mutate(aBlog({ slug: "owls", title: "Owls <b>" }));
  const markdown = await get(town, "", "/blog/owls.md");
  expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(await markdown.text()).toMatch(/^---\ntitle: Owls <b>\nslug: owls\n[^]*---\n\nOwls, mostly\.\n$/);
  const page = await get(town, "", "/blog/owls.html");
  expect(page.headers.get("content-security-policy")).toContain("sandbox");
  expect(await page.text()).toContain("<h1>Owls &lt;b&gt;</h1>");
  for (const kind of ["md", "html"]) expect((await get(town, "", `/blog/nobody.${kind}`)).status).toBe(404);
});
