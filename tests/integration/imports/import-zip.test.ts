import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openFiles } from "../../../src/server/imports/files/open.ts";
import { openMarkdown } from "../../../src/server/imports/markdown/source.ts";
import { buildZip, type ZipEntry } from "../../support/zip.ts";

async function openZip(bytes: Buffer) {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-zip-"));
  const file = path.join(folder, "site.zip");
  await writeFile(file, bytes);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const files = await openFiles(file);
    return {
      files,
      [Symbol.asyncDispose]: async () => {
        await files.close();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

test("reads a ZIP as a folder, with stored and compressed files, Unicode names and a top folder", async () => {
  await using zip = await openZip(
    buildZip([
      { name: "site/", mode: 0o040755, method: 0 },
      { name: "site/posts/a.md", bytes: "# A\n\n![x](/pic.png)" },
      { name: "site/posts/größe.md", bytes: "# G", method: 0, flags: 0 },
      { name: "site/static/pic.png", bytes: "picture" },
      { name: "__MACOSX/site/._a.md", bytes: "x" },
    ]),
  );
  expect((await zip.files.list()).map(({ name }) => name)).toEqual([
    "site/posts/a.md",
    "site/posts/größe.md",
    "site/static/pic.png",
  ]);
  const source = await openMarkdown(zip.files);
  const posts = [];
  for await (const one of source.posts()) posts.push(one);
  expect(posts.map((one) => ("post" in one ? one.post.title : one.reason))).toEqual(["A", "G"]);
  const [first] = posts;
  if (!first || !("post" in first)) throw new Error("No post.");
  expect((await source.file(first.post, "/pic.png", 100)).toString()).toBe("picture");
  await expect(source.file(first.post, "/pic.png", 3)).rejects.toThrow("at most 0.0 MB");
  await expect(source.file(first.post, "../../../etc/passwd", 100)).rejects.toThrow("outside the ZIP");
});

test.each<[string, ZipEntry, string]>([
  ["a name that climbs", { name: "a/../../x.md", bytes: "x" }, "contains “..”"],
  ["a name that climbs the other way", { name: "..\\x.md", bytes: "x" }, "contains “..”"],
  ["an absolute name", { name: "/etc/x.md", bytes: "x" }, "path is absolute"],
  ["a name of a disk", { name: "C:/x.md", bytes: "x" }, "path is absolute"],
  ["a symbolic link", { name: "link.md", bytes: "/etc/passwd", mode: 0o120777 }, "links are not followed"],
  ["a device", { name: "tty.md", mode: 0o020666 }, "it is not a file"],
  ["what is encrypted", { name: "x.md", bytes: "x", flags: 0x801 }, "encrypted"],
  ["another compression", { name: "x.md", bytes: "x", method: 12 }, "unsupported compression"],
  [
    "a ZIP within",
    { name: "inner.zip", bytes: buildZip([{ name: "b.md", bytes: "# B" }]) },
    "archive within",
  ],
  ["a name with a line break", { name: "a\nb.md", bytes: "x" }, "invalid characters"],
  ["a name without end", { name: `${"x".repeat(2_000)}.md`, bytes: "x" }, "too long"],
  ["a name that is there already", { name: "good.md", bytes: "# Other" }, "another file with this name"],
])("skips %s with a reason, and reads the rest", async (_, entry, reason) => {
  await using zip = await openZip(buildZip([{ name: "good.md", bytes: "# Good" }, entry]));
  expect((await zip.files.list()).map(({ name }) => name)).toEqual(["good.md"]);
  expect(zip.files.skipped).toHaveLength(1);
  expect(zip.files.skipped?.[0]?.reason).toContain(reason);
  expect((await zip.files.read("good.md", 100)).toString()).toBe("# Good");
});

test("refuses to read a file above the limit, whatever size it declares", async () => {
  const ten = 10 * 1024 * 1024;
  await using zip = await openZip(
    buildZip([
      { name: "bomb.md", bytes: Buffer.alloc(ten), declared: 10 },
      { name: "giant.md", bytes: "small", declared: 0xfffffff0 },
      { name: "true.md", bytes: Buffer.alloc(ten) },
    ]),
  );
  await expect(zip.files.read("bomb.md", 1_000)).rejects.toThrow("damaged within");
  await expect(zip.files.read("giant.md", 1_000)).rejects.toThrow("4096.0 MB");
  await expect(zip.files.read("true.md", 1_000)).rejects.toThrow("10.0 MB");
});

test("refuses a malicious ZIP as a whole, with a reason", async () => {
  const entry = { name: "a.md", bytes: "# A" };
  await expect(openZip(buildZip([entry, { name: "b.md", bytes: "# A", offset: 0 }]))).rejects.toThrow(
    "files in this ZIP overlap",
  );
  await expect(openZip(buildZip([entry]).subarray(0, 40))).rejects.toThrow("ZIP file is incomplete");
  await expect(openZip(buildZip([entry], 60_000))).rejects.toThrow("ZIP file is incomplete");
  const manyEntries = buildZip(
    Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}`, method: 0 })),
  );
  await using zip = await openZip(manyEntries);
  await expect(openMarkdown(zip.files)).rejects.toThrow("no Markdown files");
});

test("refuses a ZIP that unpacks to too much in total, and reading one without end", async () => {
  const large = Buffer.alloc(1024 * 1024, "owl ");
  const zipOfMany = (count: number, bytes = large) =>
    buildZip(Array.from({ length: count }, (_, index) => ({ name: `${index}.md`, bytes })));
  await expect(openZip(zipOfMany(70))).rejects.toThrow(
    "it unpacks to 73.4 MB, more than the 67.1 MB allowed for a ZIP file of its size",
  );
  // An impossible declared size does not count towards the total.
  const misdeclared = buildZip([{ name: "a.md", bytes: "# A", declared: 0xfffffff0 }]);
  await using zip = await openZip(misdeclared);
  expect(await zip.files.list()).toHaveLength(1);
  await using largeZip = await openZip(zipOfMany(60));
  const readForever = async () => {
    for (let index = 0; ; index++)
      (await largeZip.files.stream(`${index % 60}.md`)).on("error", () => undefined);
  };
  await expect(readForever()).rejects.toThrow("has reached its size limit");
  expect((await largeZip.files.list()).length).toBe(60);
});
