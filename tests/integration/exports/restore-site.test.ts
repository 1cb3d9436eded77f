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
const place = (name: string) => path.join(folder, name);

async function exportSite(dataDir: string, to: string): Promise<Map<string, Buffer>> {
  const { code, error } = await reprise(dataDir, ["export", "--site", "--to", to], settings());
  expect([code, error]).toEqual([0, ""]);
  return unzip(to);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "reprise-restore-"));
  testSite = await startTestSite();
  people = await createPopulatedSite(testSite);
  const { id } = await people.ana.api.blogs.bySlug.query({ slug: "moss" });
  for (let at = 0; at < 230; at++)
    await people.ben.api.comments.create.mutate(aComment({ id }, { text: `Number ${at}` }));
  file = place("site.zip");
  await exportSite(testSite.config.dataDir, file);
}, 300_000);
afterAll(async () => {
  await testSite[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("refuses a site with accounts or a running server, and says what to do", async () => {
  const beside = await reprise(testSite.config.dataDir, ["import", "reprise", file], settings());
  expect([beside.code, beside.error]).toEqual([
    1,
    expect.stringContaining("a site is restored while no server runs"),
  ]);
  const added = await reprise(
    place("taken"),
    ["user", "add", "eve", "--email", "eve@example.org"],
    settings(),
  );
  expect(added.code).toBe(0);
  const refused = await reprise(place("taken"), ["import", "reprise", file], settings());
  expect(refused.code).toBe(1);
  expect(refused.error).toContain("This site has content");
  expect(refused.error).toContain("--author USERNAME");
  const listed = await reprise(place("taken"), ["user", "list", "--json"], settings());
  expect(JSON.stringify(listed.json)).not.toContain("bennett");
});

test(
  "resumes an interrupted restore with the same export only; no server starts meanwhile",
  { tags: ["more"] },
  async () => {
    const dataDir = place("cut");
    const services = await openServicesForCommand({ DATA_DIR: dataDir, ...settings() });
    const files = await openFiles(file);
    const found = await siteExportHead(files);
    const cut = restoreSite(services, files, found!, {
      onProgress: (_done, _of, what) => {
        if (what === "comments.json 200") throw new Error("Cut off.");
      },
    });
    await expect(cut).rejects.toThrow("Cut off.");
    await files.close();
    await services.workers.close();
    await services.readers.close();
    services.media.close();
    await services.database.close();
    await expect(startTestSite({ DATA_DIR: dataDir })).rejects.toThrow("is not finished");
    const other = place("other.zip");
    await exportSite(testSite.config.dataDir, other);
    const refused = await reprise(dataDir, ["import", "reprise", other], settings());
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("is not finished")]);
    const { code, out } = await reprise(dataDir, ["import", "reprise", file], settings());
    expect([code, out]).toEqual([
      0,
      expect.stringContaining("Resumed the import. The site is restored: 4 accounts, 9 blogs, 241 comments"),
    ]);
    const [was, is] = [await unzip(file), await exportSite(dataDir, place("again.zip"))];
    for (const [name, bytes] of was)
      if (name !== "export.json" && name !== "index.html")
        expect(is.get(name)?.equals(bytes), name).toBe(true);
    const whole = await reprise(dataDir, ["doctor", "--json"], settings());
    const { recounted, brokenReferences } = whole.json as {
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
    const dataDir = place("moved");
    const moved = { PUBLIC_URL: "http://new.example" };
    const { code } = await reprise(dataDir, ["import", "reprise", file], moved);
    expect(code).toBe(0);
    await using site = await startTestSite({ DATA_DIR: dataDir, ...moved });
    const guest = site.browser();
    const { email } = people.ana;
    await expect(guest.api.users.signIn.mutate({ email, password })).rejects.toThrow("don’t match");
    await guest.api.users.forgotPassword.mutate({ email });
    const token = await site.mailedToken(email, "reset-password");
    await guest.api.users.resetPassword.mutate({ token, password: "another horse battery" });
    const { viewer } = await guest.api.users.signIn.mutate({ email, password: "another horse battery" });
    expect(viewer).toMatchObject({ id: people.ana.me.id, username: "ana", isAdmin: true });
    const { html } = await guest.api.blogs.bySlug.query({ slug: "barn-owls" });
    expect(html).toContain('href="http://new.example/blog/moss"');
  },
);

test("refuses an incomplete export, and names what it cannot read", async () => {
  const all = [...(await unzip(file))].map(([name, bytes]) => ({ name, bytes }));
  const without = place("without.zip");
  await writeFile(without, buildZip(all.filter(({ name }) => name !== "likes.json")));
  const refused = await reprise(place("half"), ["import", "reprise", without], settings());
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("likes.json is missing")]);

  const odd = place("odd.zip");
  const picture = all.find(({ name }) => name.startsWith("media/"))!;
  const spoilt = all.map((entry) => {
    if (entry === picture) return { ...entry, bytes: Buffer.from("no picture") };
    if (entry.name === "blogs/moss.json")
      return { ...entry, bytes: Buffer.from('{"document":{"type":"script"}}') };
    return entry;
  });
  await writeFile(odd, buildZip(spoilt));
  const { code, out } = await reprise(place("odd"), ["import", "reprise", odd], settings());
  expect(code).toBe(1);
  expect(out).toContain("The site is restored: 4 accounts, 8 blogs");
  expect(out).toContain("blogs/moss.json: The blog couldn’t be imported");
  expect(out).toContain(`${picture.name}: The picture couldn’t be imported`);
});

test(
  "requests nothing from elsewhere, and keeps a card without data as a link",
  { tags: ["more"] },
  async () => {
    const embed = { type: "embed", attrs: { href: "https://vimeo.com/1", title: "", author: "", text: "" } };
    const carded = place("carded.zip");
    const all = [...(await unzip(file))].map(([name, bytes]) => {
      if (name !== "blogs/moss.json") return { name, bytes };
      const says = { ...(JSON.parse(String(bytes)) as object), document: { type: "doc", content: [embed] } };
      return { name, bytes: Buffer.from(JSON.stringify(says)) };
    });
    await writeFile(carded, buildZip(all));
    const services = await openServicesForCommand({ DATA_DIR: place("carded"), ...settings() });
    const asked: string[] = [];
    const look = (href: string) => {
      asked.push(href);
      return Promise.resolve({ title: "Other", author: "", text: "" });
    };
    const cards = Object.assign(new EmbedCards(true), { fetchCard: look });
    const files = await openFiles(carded);
    const found = await siteExportHead(files);
    await restoreSite({ ...services, cards }, files, found!);
    await files.close();
    const blog = await blogFactsBySlug(services.database.read, "moss", null);
    const html = await blogHtml(services.database.read, blog!.id);
    await services.workers.close();
    await services.readers.close();
    services.media.close();
    await services.database.close();
    expect(html).toContain(">https://vimeo.com/1</a>");
    expect(asked).toEqual([]);
  },
);
