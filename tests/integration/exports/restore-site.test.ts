import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbedCards } from "../../../src/server/blogs/embed-cards.ts";
import { blogFactsBySlug, blogHtml } from "../../../src/server/blogs/queries.ts";
import { openServicesForCommand } from "../../../src/server/commands/services.ts";
import { openFiles } from "../../../src/server/imports/files/open.ts";
import { siteExportHead, restoreSite } from "../../../src/server/imports/site/restore.ts";
import { createPopulatedSite, type PopulatedSite } from "../../support/populated-site.ts";
import { reprise } from "../../support/command.ts";
import { aComment, password, startTestSite, type TestSite } from "../../support/test-site.ts";
import { unzip } from "../../support/unzip.ts";
import { buildZip } from "../../support/zip.ts";

/* Restoring a whole site: what it refuses, how it resumes, and how people sign in afterwards. */

let folder = "";
let testSite: TestSite;
let people: PopulatedSite;
let file = "";
const settings = () => ({ PUBLIC_URL: testSite.config.publicUrl });
const pathOf = (name: string) => path.join(folder, name);

async function exportSite(dataDir: string, archive: string): Promise<Map<string, Buffer>> {
  const { code, error } = await reprise(dataDir, ["export", "--site", "--to", archive], settings());
  expect([code, error]).toEqual([0, ""]);
  return unzip(archive);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "reprise-restore-"));
  testSite = await startTestSite();
  people = await createPopulatedSite(testSite);
  const { id } = await people.ana.api.blogs.bySlug.query({ slug: "moss" });
  for (let index = 0; index < 230; index++)
    await people.ben.api.comments.create.mutate(aComment({ id }, { text: `Number ${index}` }));
  file = pathOf("site.zip");
  await exportSite(testSite.config.dataDir, file);
}, 300_000);
afterAll(async () => {
  await testSite[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("refuses a site with accounts or a running server, and says what to do", async () => {
  const whileRunning = await reprise(testSite.config.dataDir, ["import", "reprise", file], settings());
  expect([whileRunning.code, whileRunning.error]).toEqual([
    1,
    expect.stringContaining("a site is restored while no server runs"),
  ]);
  const addResult = await reprise(
    pathOf("taken"),
    ["user", "add", "eve", "--email", "eve@example.org"],
    settings(),
  );
  expect(addResult.code).toBe(0);
  const result = await reprise(pathOf("taken"), ["import", "reprise", file], settings());
  expect(result.code).toBe(1);
  expect(result.error).toContain("This site has content");
  expect(result.error).toContain("--author USERNAME");
  expect((await reprise(pathOf("taken"), ["user", "show", "bennett"], settings())).code).toBe(1);
});

test(
  "resumes an interrupted restore with the same export only; no server starts meanwhile",
  { tags: ["more"] },
  async () => {
    const dataDir = pathOf("cut");
    const services = await openServicesForCommand({ DATA_DIR: dataDir, ...settings() }, "new");
    const files = await openFiles(file);
    const head = await siteExportHead(files);
    const restoring = restoreSite(services, files, head!, {
      onProgress: (_done, _of, step) => {
        if (step === "comments.json 200") throw new Error("Cut off.");
      },
    });
    await expect(restoring).rejects.toThrow("Cut off.");
    await files.close();
    await services.workers.close();
    await services.readers.close();
    services.media.close();
    await services.database.close();
    await expect(startTestSite({ DATA_DIR: dataDir })).rejects.toThrow("is not finished");
    const other = pathOf("other.zip");
    await exportSite(testSite.config.dataDir, other);
    const result = await reprise(dataDir, ["import", "reprise", other], settings());
    expect([result.code, result.error]).toEqual([1, expect.stringContaining("is not finished")]);
    const { code, output } = await reprise(dataDir, ["import", "reprise", file], settings());
    expect([code, output]).toEqual([
      0,
      expect.stringContaining("Resumed the import. The site is restored: 4 accounts, 9 blogs, 241 comments"),
    ]);
    const [originals, restoredFiles] = [await unzip(file), await exportSite(dataDir, pathOf("again.zip"))];
    for (const [name, bytes] of originals)
      if (name !== "export.json" && name !== "index.html")
        expect(restoredFiles.get(name)?.equals(bytes), name).toBe(true);
    const doctorResult = await reprise(dataDir, ["doctor", "--json"], settings());
    const { recounted, brokenReferences } = doctorResult.json as {
      recounted: Record<string, number>;
      brokenReferences: number;
    };
    expect([brokenReferences, Object.values(recounted).filter(Boolean)]).toEqual([0, []]);
  },
);

test(
  "requires new passwords by email when hashes are missing, and links to the new address",
  { tags: ["more"] },
  async () => {
    const dataDir = pathOf("moved");
    const movedSettings = { PUBLIC_URL: "http://new.example" };
    const { code } = await reprise(dataDir, ["import", "reprise", file], movedSettings);
    expect(code).toBe(0);
    await using site = await startTestSite({ DATA_DIR: dataDir, ...movedSettings });
    const guest = site.browser();
    const { email } = people.ana;
    await expect(guest.api.users.signIn.mutate({ email, password })).rejects.toThrow("don’t match");
    await guest.api.users.forgotPassword.mutate({ email });
    const token = await site.mailedToken(email, "reset-password");
    await guest.api.users.resetPassword.mutate({ token, password: "another horse battery" });
    const { viewer } = await guest.api.users.signIn.mutate({ email, password: "another horse battery" });
    expect(viewer).toMatchObject({ id: people.ana.me.id, username: "ana", isAdmin: true });
    const { html } = await guest.api.blogs.bySlug.query({ slug: "barn-owls" });
    expect(html).toContain('href="/blog/moss"');
  },
);

test("refuses an incomplete export, and names what it cannot read", async () => {
  const all = [...(await unzip(file))].map(([name, bytes]) => ({ name, bytes }));
  const incompleteExport = pathOf("without.zip");
  await writeFile(incompleteExport, buildZip(all.filter(({ name }) => name !== "likes.json")));
  const result = await reprise(pathOf("half"), ["import", "reprise", incompleteExport], settings());
  expect([result.code, result.error]).toEqual([1, expect.stringContaining("likes.json is missing")]);

  const damagedExport = pathOf("odd.zip");
  const picture = all.find(({ name }) => name.startsWith("media/"))!;
  const damagedEntries = all.map((entry) => {
    if (entry === picture) return { ...entry, bytes: Buffer.from("no picture") };
    if (entry.name === "blogs/moss.json")
      return { ...entry, bytes: Buffer.from('{"document":{"type":"script"}}') };
    return entry;
  });
  await writeFile(damagedExport, buildZip(damagedEntries));
  const { code, output } = await reprise(pathOf("odd"), ["import", "reprise", damagedExport], settings());
  expect(code).toBe(1);
  expect(output).toContain("The site is restored: 4 accounts, 8 blogs");
  expect(output).toContain("blogs/moss.json: The blog couldn’t be imported");
  expect(output).toContain(`${picture.name}: The picture couldn’t be imported`);
});

test(
  "requests nothing from elsewhere, and keeps a card without data as a link",
  { tags: ["more"] },
  async () => {
    const embed = { type: "embed", attrs: { href: "https://vimeo.com/1", title: "", author: "", text: "" } };
    const exportWithCard = pathOf("carded.zip");
    const all = [...(await unzip(file))].map(([name, bytes]) => {
      if (name !== "blogs/moss.json") return { name, bytes };
      const blogJson = {
        ...(JSON.parse(String(bytes)) as object),
        document: { type: "doc", content: [embed] },
      };
      return { name, bytes: Buffer.from(JSON.stringify(blogJson)) };
    });
    await writeFile(exportWithCard, buildZip(all));
    const services = await openServicesForCommand({ DATA_DIR: pathOf("carded"), ...settings() }, "new");
    const requestedHrefs: string[] = [];
    const fetchCard = (href: string) => {
      requestedHrefs.push(href);
      return Promise.resolve({ title: "Other", author: "", text: "" });
    };
    const cards = Object.assign(new EmbedCards(true), { fetchCard });
    const files = await openFiles(exportWithCard);
    const head = await siteExportHead(files);
    await restoreSite({ ...services, cards }, files, head!);
    await files.close();
    const blog = await blogFactsBySlug(services.database.read, "moss", null);
    const html = await blogHtml(services.database.read, blog!.id);
    await services.workers.close();
    await services.readers.close();
    services.media.close();
    await services.database.close();
    expect(html).toContain(">https://vimeo.com/1</a>");
    expect(requestedHrefs).toEqual([]);
  },
);
