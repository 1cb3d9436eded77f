import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { deleteExpiredExports } from "../../../src/server/exports/folder.ts";
import { exportLimits } from "../../../src/shared/exports.ts";
import {
  aBlog,
  password,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";
import { createFolder } from "../../support/import-folder.ts";
import { unzip } from "../../support/unzip.ts";

const get = (testSite: TestSite, cookie = "", address = "/settings/export/file") =>
  fetch(testSite.url + address, { headers: { cookie }, redirect: "manual" });
const ready = (person: SignedInBrowser) =>
  until(async () => (await person.api.exports.state.query()).state !== "making", "the export's end");

test("exports one's own data after the password, and serves the file to its owner only", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
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

  const answer = await get(testSite, ana.cookie);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "private, no-store",
    "content-disposition": expect.stringContaining(`attachment; filename="${ana.me.username}-`),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBe(state.bytes);
  await using archive = await createFolder({ "a.zip": bytes });
  const files = await unzip(path.join(archive.folder, "a.zip"));
  expect(files.has("blogs/owls.md")).toBe(true);

  expect((await get(testSite)).headers.get("location")).toContain("/signin?next=");
  expect((await get(testSite, ben.cookie)).headers.get("location")).toBe("/settings/export");
  expect(await ben.api.exports.state.query()).toMatchObject({ state: "none" });
  await ana.api.exports.remove.mutate();
  expect((await get(testSite, ana.cookie)).status).toBe(302);
});

test(
  "deletes an export after a while or with its account, and reports one that failed",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
    const exports = () => testSite.storedFiles("exports", 1);
    for (const person of [ana, ben]) {
      await person.api.exports.begin.mutate({ password });
      await ready(person);
    }
    expect(await exports()).toEqual([ana.me.id, ben.me.id].sort());
    await ben.api.users.remove.mutate({ password });
    await deleteExpiredExports(testSite.app.services, Date.now());
    expect(await exports()).toEqual([ana.me.id]);
    await deleteExpiredExports(testSite.app.services, Date.now() + exportLimits.keptFor + 1000);
    expect(await exports()).toEqual([]);
    expect(await ana.api.exports.state.query()).toMatchObject({ state: "none" });

    // A file is in the way of the folder.
    if (process.env.TEST_ON_S3) return;
    const folder = path.join(testSite.config.dataDir, "exports");
    await rm(folder, { recursive: true });
    await writeFile(folder, "");
    await ana.api.exports.begin.mutate({ password });
    await ready(ana);
    expect(await ana.api.exports.state.query()).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("again"),
    });
    await rm(folder);
    await ana.api.exports.begin.mutate({ password });
    await ready(ana);
    expect(await ana.api.exports.state.query()).toMatchObject({ state: "ready" });
  },
);

test("finishes an export after a restart of the server", { tags: ["more"] }, async () => {
  await using data = await createFolder({});
  const settings = { DATA_DIR: data.folder };
  const testSite = await startTestSite(settings);
  const ana = await testSite.createAccount("Ana");
  await ana.api.exports.begin.mutate({ password });
  await testSite.app.close();
  await using restarted = await startTestSite(settings);
  const browser = restarted.browser(ana.cookie);
  await until(async () => (await browser.api.exports.state.query()).state === "ready", "the export's end");
  expect((await get(restarted, ana.cookie)).status).toBe(200);
});

test("serves a blog as Markdown and as an HTML page", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await ana.api.blogs.create.mutate(aBlog({ slug: "owls", title: "Owls <b>" }));
  const markdown = await get(testSite, "", "/blog/owls.md");
  expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(await markdown.text()).toMatch(/^---\ntitle: Owls <b>\nslug: owls\n[^]*---\n\nOwls, mostly\.\n$/);
  const page = await get(testSite, "", "/blog/owls.html");
  expect(page.headers.get("content-security-policy")).toContain("sandbox");
  expect(await page.text()).toContain("<h1>Owls &lt;b&gt;</h1>");
  for (const kind of ["md", "html"])
    expect((await get(testSite, "", `/blog/nobody.${kind}`)).status).toBe(404);
});

test("names the canonical address of a blog's files, and keeps them out of search engines", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ slug: "owls" }));
  const expectCanonical = async (address: string) => {
    for (const kind of ["md", "html"]) {
      const { headers } = await get(testSite, "", `/blog/owls.${kind}`);
      expect([headers.get("x-robots-tag"), headers.get("link")]).toEqual([
        "noindex",
        `<${address}>; rel="canonical"`,
      ]);
    }
  };
  await expectCanonical(`${testSite.config.publicUrl}/blog/owls`);
  await ana.api.blogs.update.mutate({ id, canonicalUrl: "https://eulen.example/über>uns" });
  await expectCanonical("https://eulen.example/%C3%BCber%3Euns");
});
