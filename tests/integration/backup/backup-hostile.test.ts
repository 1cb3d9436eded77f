import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip, gunzipSync, gzipSync } from "node:zlib";
import { createReadStream, createWriteStream } from "node:fs";
import Sqlite from "better-sqlite3";
import { extract, pack, type Header } from "tar-stream";
import { expect, test } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { restoreBackup } from "../../../src/server/backup/restore.ts";
import { backUp } from "../../../src/server/backup/write.ts";
import { readConfig, type Config } from "../../../src/server/runtime/config.ts";
import { upload } from "../../support/pictures.ts";
import { aBlog, startTestSite } from "../../support/test-site.ts";

interface Entry {
  header: Partial<Header> & { name: string };
  bytes: Buffer;
}

/** A backup to tamper with, and a site that must not change. */
async function createBackup() {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-hostile-"));
  const pathOf = (name: string) => path.join(folder, name);
  const archive = pathOf("whole.tar.gz");
  const config: Config = readConfig({ DATA_DIR: pathOf("site/data"), LOG_LEVEL: "silent", PORT: "0" });
  {
    await using testSite = await startTestSite({ DATA_DIR: config.dataDir });
    const ana = await testSite.createAccount("Ana");
    const cover = await upload(ana);
    await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
    await testSite.app.close();
    await backUp(config, { to: archive });
    // The test site deletes its folder when it closes.
    const { manifest } = await restoreBackup({ ...config, ...dataPaths(pathOf("kept")) }, archive, {});
    expect(manifest.counts.blogs).toBe(1);
  }
  const siteConfig = { ...config, ...dataPaths(pathOf("kept")) };
  return {
    at: pathOf,
    archive,
    config: siteConfig,
    entries: () => entriesOf(archive),
    /** Returns every file of the site with a hash of its bytes. */
    site: async () =>
      Object.fromEntries(
        await Promise.all(
          (await readdir(siteConfig.dataDir, { recursive: true })).sort().map(async (name) => {
            const file = path.join(siteConfig.dataDir, name);
            const isFile = (await stat(file)).isFile();
            return [
              name,
              isFile
                ? createHash("sha256")
                    .update(await readFile(file))
                    .digest("hex")
                : "",
            ];
          }),
        ),
      ),
    /** Returns the reason, in one line, why an archive is refused. */
    refusal: async (file: string) => {
      const error = await restoreBackup(siteConfig, file, {}).then(
        () => expect.fail(`It was taken: ${path.basename(file)}`),
        (cause: Error) => cause,
      );
      expect(error.message).not.toContain("\n");
      return error.message;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const dataPaths = (dataDir: string) => {
  const { databaseFile, mediaDir, outboxDir, backupDir, backups } = readConfig({ DATA_DIR: dataDir });
  return { dataDir, databaseFile, mediaDir, outboxDir, backupDir, backups };
};

async function entriesOf(archive: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const tar = extract();
  const reading = pipeline(createReadStream(archive), createGunzip(), tar);
  for await (const entry of tar) {
    const bytes: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) bytes.push(chunk);
    entries.push({ header: { ...entry.header }, bytes: Buffer.concat(bytes) });
  }
  await reading;
  return entries;
}

async function write(file: string, entries: Entry[], raw: Buffer[] = []): Promise<string> {
  const tar = pack();
  const writing = pipeline(tar, createGzip(), createWriteStream(file));
  for (const { header, bytes } of entries) {
    const { name, type = "file" } = header;
    tar.entry({ ...header, name, type, ...(type === "file" ? { size: bytes.length } : { size: 0 }) }, bytes);
  }
  for (const bytes of raw) tar.push(bytes);
  tar.finalize();
  await writing;
  return file;
}

/** Replaces the checksums by those of the changed entries. */
function withChecksums(entries: Entry[]): Entry[] {
  const files = entries.filter(({ header }) => header.name !== "SHA256SUMS");
  const lines = files.map(
    ({ header, bytes }) => `${createHash("sha256").update(bytes).digest("hex")}  ${header.name}\n`,
  );
  return [...files, { header: { name: "SHA256SUMS" }, bytes: Buffer.from(lines.join("")) }];
}

const replace = (entries: Entry[], name: string, change: (bytes: Buffer) => Buffer): Entry[] =>
  entries.map((entry) => (entry.header.name === name ? { ...entry, bytes: change(entry.bytes) } : entry));

const withFields = (change: object) => (bytes: Buffer) =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(bytes.toString()) as object), ...change }));

test("refuses an archive with unexpected or missing entries in one line, and changes nothing", async () => {
  await using backup = await createBackup();
  const entries = await backup.entries();
  const before = await backup.site();
  const id = "0198c0de-0000-7000-8000-0000000000aa";
  const hugeManifest = withFields({ bytes: 2 ** 40, files: 1e6 });
  const largeManifest = replace(entries, "manifest.json", withFields({ bytes: 1e7, files: 1e3 }));
  const insertAfterManifest = (entry: Entry, list = largeManifest) =>
    withChecksums([...list.slice(0, 2), entry, ...list.slice(2)]);
  const file = (name: string, bytes = Buffer.from("x")): Entry => ({ header: { name }, bytes });
  const other = (type: Header["type"], name: string, linkname?: string): Entry => ({
    header: { name, type, ...(linkname === undefined ? {} : { linkname }) },
    bytes: Buffer.alloc(0),
  });
  const picture = `media/aa/${id}/full.webp`;
  const cases: [what: string, entries: Entry[], why: string][] = [
    ["a way out", insertAfterManifest(file("../escaped")), "is unexpected"],
    ["a way out below media", insertAfterManifest(file("media/aa/../../../escaped")), "is unexpected"],
    ["a place of the machine's", insertAfterManifest(file("/tmp/reprise-escaped")), "is unexpected"],
    ["the store's neighbour", insertAfterManifest(file("reprise.db-wal")), "is unexpected"],
    ["a script", insertAfterManifest(file(`media/aa/${id}/x.html`)), "is unexpected"],
    ["a link", insertAfterManifest(other("symlink", picture, "/etc/passwd")), "is not a file"],
    ["a hard link", insertAfterManifest(other("link", picture, "/etc/passwd")), "is not a file"],
    ["a device", insertAfterManifest(other("character-device", picture)), "is not a file"],
    ["a folder", insertAfterManifest(other("directory", "media/")), "is not a file"],
    [
      "a name twice",
      insertAfterManifest(file(picture), insertAfterManifest(file(picture))),
      "damaged or incomplete",
    ],
    ["a second store", insertAfterManifest(file("reprise.db")), "is unexpected"],
    [
      "more than it says",
      insertAfterManifest(file(picture, Buffer.alloc(64)), entries),
      "it is larger than its manifest says",
    ],
    [
      "more than there is room for",
      withChecksums(replace(entries, "manifest.json", hugeManifest)),
      "isn’t enough space",
    ],
    ["no manifest", withChecksums(entries.slice(1)), "its manifest is missing"],
    ["no store", withChecksums([entries[0]!]), "its end is missing"],
    ["no sums", entries.slice(0, -1), "its end is missing"],
    ["something behind its end", [...entries, file(picture)], "comes after its end"],
    ["a manifest that is none", replace(entries, "manifest.json", () => Buffer.from("{{")), "can’t be read"],
    [
      "a later form",
      replace(entries, "manifest.json", withFields({ format: 2 })),
      "another version of Reprise",
    ],
    [
      "other bytes",
      replace(entries, "reprise.db", (bytes) => Buffer.from(bytes).fill(1, 5_000, 5_100)),
      "sums",
    ],
    [
      "a store that is damaged",
      withChecksums(replace(entries, "reprise.db", (bytes) => Buffer.from(bytes).fill(1, 4_096, 40_000))),
      "is damaged",
    ],
    [
      "a store that is none",
      withChecksums(replace(entries, "reprise.db", () => Buffer.from("no"))),
      "is damaged",
    ],
    [
      "other counts",
      withChecksums(
        replace(
          entries,
          "manifest.json",
          withFields({ counts: { users: 9, blogs: 9, comments: 9, media: 9 } }),
        ),
      ),
      "does not match the archive’s manifest",
    ],
  ];
  for (const [name, archiveEntries, message] of cases) {
    const archive = await write(backup.at("spoiled.tar.gz"), archiveEntries);
    expect([name, await backup.refusal(archive)]).toEqual([name, expect.stringContaining(message)]);
  }
  expect(await backup.site()).toEqual(before);
  expect(await readdir(backup.at(""))).not.toContain("escaped");
});

test("refuses a truncated archive, and a file that is none, and changes nothing", async () => {
  await using backup = await createBackup();
  const before = await backup.site();
  const bytes = await readFile(backup.archive);
  const archive = backup.at("cut.tar.gz");
  for (const part of [0.001, 0.2, 0.5, 0.9, 0.999]) {
    await writeFile(archive, bytes.subarray(0, Math.floor(bytes.length * part)));
    expect(await backup.refusal(archive)).toMatch(/incomplete|not a backup|not a complete backup/);
  }
  const tar = gunzipSync(bytes);
  for (const part of [0.3, 0.8]) {
    await writeFile(archive, gzipSync(tar.subarray(0, Math.floor(tar.length * part))));
    expect(await backup.refusal(archive)).toMatch(/incomplete/);
  }
  for (const text of ["", "PK\u0003\u0004", "#!/bin/sh\n"]) {
    await writeFile(archive, text);
    expect(await backup.refusal(archive)).toBe(`${archive} is not a backup of Reprise.`);
  }
  expect(await backup.refusal(backup.at("nothing"))).toBe(`There is no file ${backup.at("nothing")}.`);
  expect(await backup.refusal(backup.at("kept"))).toBe(`${backup.at("kept")} is not a backup of Reprise.`);
  expect(await backup.site()).toEqual(before);
});

test(
  "refuses an archive that unpacks to very much without filling the disk or the memory",
  { tags: ["more"] },
  async () => {
    await using backup = await createBackup();
    const [manifest] = await backup.entries();
    const before = await backup.site();
    const memory = process.memoryUsage().rss;
    const zeros = Buffer.alloc(1024 * 1024);
    const emptyArchive = await write(backup.at("empty"), [manifest!], Array<Buffer>(512).fill(zeros));
    expect(await backup.refusal(emptyArchive)).toContain("unexpected data between files");
    const header = Buffer.alloc(512);
    header.write("PaxHeader", 0);
    header.write("0000644\0 0000000\0 0000000\0 ".replaceAll(" ", ""), 100);
    header.write((512 * 1024 * 1024).toString(8).padStart(11, "0"), 124);
    header.write("00000000000", 136);
    header.write("        x", 148);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const longArchive = await write(
      backup.at("long"),
      [manifest!],
      [header, ...Array<Buffer>(512).fill(zeros)],
    );
    expect(await backup.refusal(longArchive)).toContain("Header exceeds max size");
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * 1024 * 1024);
    expect(await backup.site()).toEqual(before);
  },
);

test("refuses a database of a newer version, and restores one of an older version", async () => {
  await using backup = await createBackup();
  const entries = await backup.entries();
  const before = await backup.site();
  const archiveWith = async (change: string) => {
    const file = backup.at("store.db");
    await writeFile(file, entries.find(({ header }) => header.name === "reprise.db")?.bytes ?? "");
    const store = new Sqlite(file);
    store.exec(change);
    store.close();
    const bytes = await readFile(file);
    const manifest = withFields({ bytes: 1e9 });
    const all = replace(
      replace(entries, "reprise.db", () => bytes),
      "manifest.json",
      manifest,
    );
    return write(backup.at("changed.tar.gz"), withChecksums(all));
  };
  const addMigration = "insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)";
  expect(await backup.refusal(await archiveWith(addMigration))).toContain(
    "is from a newer version of Reprise",
  );
  expect(await backup.site()).toEqual(before);
  const removeMigration =
    "delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)";
  const { kept } = await restoreBackup(backup.config, await archiveWith(removeMigration), {});
  expect(kept).not.toBe(null);
});

test("reports an interrupted restore at the next start, and a second restore repairs the site", async () => {
  await using backup = await createBackup();
  const { dataDir, databaseFile } = backup.config;
  await mkdir(path.join(dataDir, "restoring-abc/media"), { recursive: true });
  await rename(databaseFile, path.join(dataDir, "restoring-abc/reprise.db"));
  await expect(buildApp(backup.config)).rejects.toThrow(/is gone: a restore was interrupted\. Run .* again/);
  await restoreBackup(backup.config, backup.archive, {});
  expect((await readdir(dataDir)).filter((name) => name.startsWith("restoring-"))).toEqual([]);
  await (await buildApp(backup.config)).close();
});
