import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { openServicesForCommand } from "../../../src/server/commands/services.ts";
import type { DecryptionKeys } from "../../../src/server/backup/archive.ts";
import { restoreBackup } from "../../../src/server/backup/restore.ts";
import { backUp, type BackedUp } from "../../../src/server/backup/write.ts";
import { readConfig } from "../../../src/server/runtime/config.ts";
import { reprise } from "../../support/command.ts";
import { entry } from "../../support/entry.ts";
import { upload } from "../../support/pictures.ts";
import { createFolder } from "../../support/import-folder.ts";
import { mountSmallDisk } from "../../support/small-disk.ts";
import { startServer } from "../../support/server.ts";
import { aBlog, aComment, startTestSite, until, type TestSite } from "../../support/test-site.ts";

/** Starts a site with a blog that has a cover, and a comment. */
async function startSite(settings: Record<string, string> = {}) {
  const testSite = await startTestSite(settings);
  const ana = await testSite.createAccount("Ana");
  const cover = await upload(ana);
  const blog = await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
  await ana.api.comments.create.mutate(aComment(blog));
  return { testSite, ana, blog, cover, [Symbol.asyncDispose]: () => testSite[Symbol.asyncDispose]() };
}

const rows = <Row>(dataDir: string, statement: string): Row[] => {
  const store = new Sqlite(path.join(dataDir, "reprise.db"), { readonly: true });
  try {
    return store.prepare(statement).all() as Row[];
  } finally {
    store.close();
  }
};
const epochOf = (dataDir: string) => rows(dataDir, "select value from meta where key = 'live_epoch'")[0];
const padDatabase = (testSite: TestSite, megabytes: number) => {
  const store = new Sqlite(testSite.config.databaseFile);
  store.exec("create table padding (id integer primary key, text text); begin");
  const add = store.prepare("insert into padding (text) values (?)");
  for (let row = 0; row < megabytes * 20; row++) add.run("p".repeat(50_000));
  store.exec("commit");
  store.close();
};

test(
  "backs up everything acknowledged before it began, while others write, and restores it to a working site",
  { tags: ["more"] },
  async () => {
    await using folder = await createFolder({});
    await using site = await startSite();
    const { testSite, ana, blog, cover } = site;
    // Large enough for many writes during the backup.
    padDatabase(testSite, 60);
    const writers = await Promise.all(["Bo", "Cy", "Di"].map((name) => testSite.createAccount(name)));
    const commentIds: string[] = [];
    let isOver = false;
    const writing = [ana, ...writers].map(async (writer) => {
      while (!isOver) {
        const { id } = await writer.api.comments.create.mutate(aComment(blog));
        commentIds.push(id);
      }
    });
    await until(() => commentIds.length > 20, "some comments");
    const before = commentIds.slice();
    const { code, error, json } = await reprise(testSite.config.dataDir, [
      "backup",
      folder.at("site.tar.gz"),
      "--json",
    ]);
    const concurrentCount = commentIds.length - before.length;
    isOver = true;
    await Promise.all(writing);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(concurrentCount, "comments while the backup was made").toBeGreaterThan(5);

    const dataDir = folder.at("data");
    const restored = await reprise(dataDir, ["restore", folder.at("site.tar.gz")]);
    expect(restored).toMatchObject({ code: 0, error: "" });
    const storedIds = new Set(rows<{ id: string }>(dataDir, "select id from comments").map(({ id }) => id));
    expect(before.filter((id) => !storedIds.has(id))).toEqual([]);
    expect((json as BackedUp).manifest.counts).toMatchObject({
      comments: storedIds.size,
      users: 4,
      blogs: 1,
      media: 1,
    });
    expect(epochOf(dataDir)).not.toEqual(epochOf(testSite.config.dataDir));
    expect(await reprise(dataDir, ["doctor"])).toMatchObject({ code: 0, error: "" });

    await using server = await startServer({ DATA_DIR: dataDir });
    const answer = await fetch(`${server.url}/api/v1/blogs`);
    expect(JSON.stringify(await answer.json())).toContain(blog.slug);
    expect((await fetch(server.url + cover.src)).status).toBe(200);
  },
);

test("writes an archive that only its owner can read, that tar opens, and whose checksums are right", async () => {
  await using folder = await createFolder({});
  await using site = await startSite();
  const archive = folder.at("site.tar.gz");
  expect(await reprise(site.testSite.config.dataDir, ["backup", archive])).toMatchObject({ code: 0 });
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  await mkdir(folder.at("open"));
  execFileSync("tar", ["xzf", archive, "-C", folder.at("open")]);
  execFileSync("sha256sum", ["--quiet", "--check", "SHA256SUMS"], { cwd: folder.at("open") });
  const manifest = JSON.parse(await readFile(folder.at("open/manifest.json"), "utf8")) as object;
  expect(manifest).toMatchObject({ format: 1, version: "0.1.0", counts: { comments: 1 }, missing: 0 });
  const second = await reprise(site.testSite.config.dataDir, ["backup", archive]);
  expect(second).toMatchObject({ code: 1, error: expect.stringContaining("already exists") });
});

test("keeps as many of the archives that it named itself as --keep says, and touches no other file", async () => {
  await using folder = await createFolder({});
  await using site = await startSite();
  await mkdir(folder.at("all"));
  for (const name of ["notes.txt", "reprise-mine.tar.gz", "reprise-2020-01-01T00-00-00-000Z.db"])
    await writeFile(folder.at(`all/${name}`), "mine");
  const archives: string[] = [];
  for (let time = 0; time < 3; time++) {
    const { file } = await backUp(site.testSite.config, { to: folder.at("all"), keep: 2 });
    archives.push(path.basename(file));
  }
  expect((await readdir(folder.at("all"))).sort()).toEqual(
    [...archives.slice(1), "notes.txt", "reprise-2020-01-01T00-00-00-000Z.db", "reprise-mine.tar.gz"].sort(),
  );
  await expect(backUp(site.testSite.config, { to: folder.at("x"), keep: 2 })).rejects.toThrow(
    "--keep needs a folder.",
  );
});

test("refuses to restore while a server runs or another program has the database open", async () => {
  await using folder = await createFolder({});
  await using site = await startSite();
  const { dataDir } = site.testSite.config;
  await reprise(dataDir, ["backup", folder.at("site")]);
  const result = await reprise(dataDir, ["restore", folder.at("site")]);
  expect(result).toMatchObject({
    code: 1,
    error: `Another server is running in ${dataDir}. Stop it, then restore.`,
  });
  await site.testSite.app.close();
  const services = await openServicesForCommand({ DATA_DIR: dataDir });
  expect(await reprise(dataDir, ["restore", folder.at("site")])).toMatchObject({
    code: 1,
    error: expect.stringContaining("Another program is using"),
  });
  await services.workers.close();
  await services.readers.close();
  await services.database.close();

  // The restore keeps the previous data.
  const epoch = epochOf(dataDir);
  const restored = await reprise(dataDir, ["restore", folder.at("site"), "--json"]);
  expect(restored).toMatchObject({ code: 0, error: "" });
  const { kept } = restored.json as { kept: string };
  expect(path.dirname(kept)).toBe(dataDir);
  expect(epochOf(kept)).toEqual(epoch);
  expect(existsSync(path.join(kept, site.cover.src.replace("full", "640")))).toBe(
    existsSync(path.join(dataDir, site.cover.src.replace("full", "640"))),
  );
  expect((await readdir(dataDir)).filter((name) => name.startsWith("restoring"))).toEqual([]);
});

test("decrypts an encrypted archive with its passphrase or identity only", { tags: ["more"] }, async () => {
  await using folder = await createFolder({});
  await using site = await startSite();
  const { dataDir } = site.testSite.config;
  const identity = await generateX25519Identity();
  await writeFile(folder.at("key"), `# made for a test\n${identity}\n`);
  const passphrase = { BACKUP_PASSPHRASE: "a river of old owls" };
  expect(await reprise(dataDir, ["backup", folder.at("p.age")], passphrase)).toMatchObject({
    code: 0,
  });
  const recipient = await identityToRecipient(identity);
  expect(await reprise(dataDir, ["backup", folder.at("r.age"), "--recipient", recipient])).toMatchObject({
    code: 0,
  });
  for (const name of ["p.age", "r.age"])
    expect((await readFile(folder.at(name))).toString("latin1")).toMatch(/^age-encryption\.org\/v1\n/);

  const config = readConfig({ DATA_DIR: folder.at("data") });
  const open = (name: string, keys: DecryptionKeys) => restoreBackup(config, folder.at(name), keys);
  await expect(open("p.age", {})).rejects.toThrow("is encrypted. Set BACKUP_PASSPHRASE");
  await expect(open("p.age", { passphrase: "a river of old mice" })).rejects.toThrow("doesn’t match");
  await expect(open("r.age", { identities: [await generateX25519Identity()] })).rejects.toThrow(
    "doesn’t match",
  );
  await expect(open("r.age", { identities: ["nonsense"] })).rejects.toThrow("not an age identity");
  const noPassphrase = await reprise(folder.at("data"), [
    "restore",
    folder.at("r.age"),
    "--identity",
    folder.at("none"),
  ]);
  expect(noPassphrase).toMatchObject({
    code: 1,
    error: `The file ${folder.at("none")} does not exist or cannot be read.`,
  });
  expect(existsSync(folder.at("data/reprise.db"))).toBe(false);
  expect(await reprise(folder.at("data"), ["restore", folder.at("p.age")], passphrase)).toMatchObject({
    code: 0,
  });
  const byIdentity = ["restore", folder.at("r.age"), "--identity", folder.at("key")];
  expect(await reprise(folder.at("more"), byIdentity)).toMatchObject({ code: 0 });
});

test("leaves no archive behind when a backup is stopped or killed", async () => {
  await using folder = await createFolder({});
  await using site = await startSite();
  padDatabase(site.testSite, 200);
  await mkdir(folder.at("all"));
  const stopWith = async (signal: NodeJS.Signals) => {
    const child = spawn(process.execPath, [entry("reprise"), "backup", folder.at("all")], {
      env: { PATH: process.env.PATH, DATA_DIR: site.testSite.config.dataDir },
      stdio: "ignore",
    });
    const exit = once(child, "exit");
    await until(
      async () => (await readdir(folder.at("all"), { recursive: true })).length > 1,
      "its beginning",
    );
    child.kill(signal);
    return (await exit)[0] as number | null;
  };
  expect(await stopWith("SIGTERM")).toBe(1);
  expect(await readdir(folder.at("all"))).toEqual([]);
  await stopWith("SIGKILL");
  const names = await readdir(folder.at("all"));
  expect(names).toEqual([expect.stringMatching(/^\.reprise-backup-/)]);
});

test(
  "backs up repeatedly as the setting says, logs it, and deletes the oldest archives",
  { tags: ["more"] },
  async () => {
    await using folder = await createFolder({});
    let log = "";
    const settings = {
      DATA_DIR: folder.at("data"),
      BACKUP_EVERY: "1s",
      BACKUP_KEEP: "2",
      BACKUP_DIR: folder.at("all"),
    };
    await using server = await startServer(
      { ...settings, LOG_LEVEL: "info" },
      { onLog: (text) => (log += text) },
    );
    const logLines = () => log.split("\n").filter((line) => line.includes("the site was backed up"));
    await until(() => logLines().length >= 3, "three backups");
    const names = await readdir(folder.at("all"));
    expect(names.filter((name) => name.endsWith(".tar.gz")).length).toBeLessThanOrEqual(3);
    const { removed } = JSON.parse(logLines().at(-1) ?? "{}") as { removed: string[] };
    expect(removed).toHaveLength(1);
    await server.stop();
    // One queued job, deleted with the setting.
    const waiting = () =>
      rows<{ name: string }>(folder.at("data"), "select name from jobs where name = 'backup'");
    expect(waiting()).toHaveLength(1);
    await using _later = await startServer({ DATA_DIR: folder.at("data") });
    expect(waiting()).toEqual([]);
  },
);

test(
  "answers an unknown command or a wrong option with a message and exit code 2",
  { tags: ["more"] },
  async () => {
    await using folder = await createFolder({});
    for (const [args, message] of [
      [["nonsense"], 'Unknown command "nonsense".'],
      [["backup", "--nonsense"], "Unknown option '--nonsense'"],
      [["restore"], "Missing argument: npm run reprise -- restore FILE"],
      [["jobs", "retry"], "Please name a job, or say --all."],
    ] as const) {
      const { code, error } = await reprise(folder.at("data"), [...args]);
      expect([code, error]).toEqual([2, expect.stringContaining(message)]);
    }
    const result = await reprise(folder.at("data"), ["restore", folder.at("none"), "--json"]);
    expect(result).toMatchObject({ code: 1, error: `There is no file ${folder.at("none")}.` });
    expect(result.json).toEqual({ error: `There is no file ${folder.at("none")}.` });
    const { code, output } = await reprise(folder.at("data"), []);
    expect(code).toBe(0);
    for (const name of ["backup", "restore FILE", "user add", "jobs retry", "import markdown"])
      expect(output).toContain(name);
    expect(await readdir(folder.at("")).then((names) => names.includes("data"))).toBe(true);
  },
);

test("leaves no partial backup or restore behind when the disk is full", async ({ skip }) => {
  using disk = mountSmallDisk(3);
  if (!disk) return skip();
  const pathOf = (name: string) => path.join(disk.folder, name);
  await using folder = await createFolder({});
  await using site = await startSite();
  const { dataDir } = site.testSite.config;
  // Not compressible.
  const store = new Sqlite(site.testSite.config.databaseFile);
  store.exec("create table padding (text blob); insert into padding values (randomblob(4000000))");
  store.close();
  expect(await reprise(dataDir, ["backup", pathOf("")])).toMatchObject({
    code: 1,
    error: expect.stringContaining("is full. No backup was created"),
  });
  expect(await readdir(pathOf(""))).toEqual([]);

  await reprise(dataDir, ["backup", folder.at("site")]);
  await mkdir(pathOf("data"));
  await copyFile(folder.at("site"), folder.at("copy"));
  expect(await reprise(pathOf("data"), ["restore", folder.at("copy")])).toMatchObject({
    code: 1,
    error: expect.stringContaining("isn’t enough space"),
  });
  expect(await readdir(pathOf("data"))).toEqual(["reprise.lock"]);
});
