import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { restoreBackup } from "../../../src/server/backup/restore.ts";
import { openServicesForCommand } from "../../../src/server/commands/services.ts";
import { readConfig } from "../../../src/server/runtime/config.ts";
import { migrateDatabase } from "../../../src/server/database/sqlite/migrate.ts";
import { projectRoot } from "../../../src/server/runtime/project-root.ts";
import { paint, send } from "../../support/pictures.ts";
import { mountSmallDisk } from "../../support/small-disk.ts";
import { aBlog, aComment, refusal, startTestSite, until } from "../../support/test-site.ts";

/** Creates the data folder of an existing site whose server is not running. */
async function createDataFolder() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-start-"));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", PORT: "0" });
  const serve = async () => (await buildApp(config)).close();
  await serve();
  return {
    config,
    serve,
    /** Returns the error of a refused start, which is one line. */
    refusal: async () => {
      const { message } = await serve().then(
        () => expect.fail("It started."),
        (error: Error) => error,
      );
      expect(message).not.toContain("\n");
      return message;
    },
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

const change = (file: string, action: (store: Sqlite.Database) => void) => {
  const store = new Sqlite(file);
  action(store);
  store.pragma("wal_checkpoint(TRUNCATE)");
  store.close();
};
/** Overwrites bytes in the middle of a file. */
const damage = (file: string, position: number, bytes = 2_000) => {
  const open = openSync(file, "r+");
  writeSync(open, Buffer.alloc(bytes, "x"), 0, bytes, position);
  closeSync(open);
};
const rightsOf = async (file: string) => (await stat(file)).mode & 0o777;

test("refuses a second server in one folder until the first stops, but allows a command beside it", async () => {
  await using folder = await createDataFolder();
  const first = await buildApp(folder.config);
  expect(await folder.refusal()).toBe(
    `Another server is running in ${folder.config.dataDir}. Stop it, or set DATA_DIR to another folder.`,
  );
  const services = await openServicesForCommand({ DATA_DIR: folder.config.dataDir });
  await services.database.close();
  await first.close();
  await folder.serve();
});

test("refuses a missing or empty database where a site was before, and names the backups", async () => {
  await using folder = await createDataFolder();
  const { databaseFile, backupDir, dataDir } = folder.config;
  const expectLostDatabase = async (state: string) => {
    const message = await folder.refusal();
    expect(message).toContain(
      `The database ${databaseFile} ${state}, but there was a site here before. There is no backup`,
    );
    expect(message).toContain(`move ${dataDir} away`);
  };
  await copyFile(databaseFile, path.join(dataDir, "kept"));
  await rm(databaseFile);
  await expectLostDatabase("is gone");
  await writeFile(databaseFile, "");
  await expectLostDatabase("is empty");
  await expect(openServicesForCommand({ DATA_DIR: dataDir })).rejects.toThrow("is empty");
  await rm(databaseFile);
  change(databaseFile, (store) => store.pragma("user_version = 3"));
  await expectLostDatabase("holds nothing");

  // The instructions in the message work.
  await mkdir(backupDir, { recursive: true });
  for (const day of ["01", "02"])
    await copyFile(path.join(dataDir, "kept"), path.join(backupDir, `reprise-2030-01-${day}.db`));
  const newest = path.join(backupDir, "reprise-2030-01-02.db");
  expect(await folder.refusal()).toContain(`copy ${newest} (or reprise-2030-01-01.db) to ${databaseFile}`);
  await copyFile(newest, databaseFile);
  await folder.serve();
});

test("treats an older folder with pictures, emails or backups as an existing site", async () => {
  for (const [name, isSite] of [
    ["media/a1/b2/w640.webp", true],
    ["outbox/1.eml", true],
    ["backups/reprise-1.db", true],
    ["notes.txt", false],
  ] as const) {
    const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-before-"));
    await mkdir(path.dirname(path.join(dataDir, name)), { recursive: true });
    await writeFile(path.join(dataDir, name), "something");
    const started = buildApp(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", PORT: "0" }));
    if (isSite) await expect(started).rejects.toThrow("is gone, but there was a site here before");
    else await (await started).close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("refuses to start with a damaged database, and names the backups", async () => {
  await using folder = await createDataFolder();
  const { databaseFile, backupDir } = folder.config;
  await mkdir(backupDir, { recursive: true });
  const backup = path.join(backupDir, "reprise-2030-01-01.db");
  await copyFile(databaseFile, backup);
  const pages = Math.floor((await stat(databaseFile)).size / 4096);
  for (const damageFile of [
    () => damage(databaseFile, 0),
    () => truncate(databaseFile, 8 * 4096),
    // Pages in the middle that the start does not read.
    () => {
      for (let page = 20; page < pages - 5; page += 3) damage(databaseFile, page * 4096);
    },
  ]) {
    await damageFile();
    const message = await folder.refusal();
    expect(message).toContain(`The database ${databaseFile} is damaged (`);
    expect(message).toContain(`copy ${backup} to ${databaseFile}`);
    expect(message).toContain("npm run reprise -- after-restore");
    await copyFile(backup, databaseFile);
    for (const suffix of ["-wal", "-shm"]) await rm(databaseFile + suffix, { force: true });
    await folder.serve();
  }
});

test("checks a large database after the start, and reports damage", async () => {
  await using folder = await createDataFolder();
  const { databaseFile } = folder.config;
  change(databaseFile, (store) => {
    store.exec("create table padding (id integer primary key, text text); begin");
    const add = store.prepare("insert into padding (text) values (?)");
    for (let row = 0; row < 900; row++) add.run("p".repeat(50_000));
    store.exec("commit");
  });
  const errors: unknown[] = [];
  const serve = () => buildApp(folder.config, { onDamage: (error) => errors.push(error) });
  await (await serve()).close();
  const text = readFileSync(databaseFile);
  // The inner pages of the table, not its text.
  const last = text.length / 4096 - 1;
  for (let page = 0; page < 60; page++) damage(databaseFile, (last - page * 3) * 4096, 100);
  const app = await serve();
  await until(() => errors.length > 0, "the end of the check");
  expect(String(errors[0])).toContain(`The database ${databaseFile} is damaged (`);
  await app.close();
});

test("restricts the data folder, database, emails and backups to their owner, existing ones too", async () => {
  await using folder = await createDataFolder();
  const { dataDir, databaseFile, outboxDir, backupDir } = folder.config;
  await mkdir(backupDir, { recursive: true });
  const files = [databaseFile, path.join(outboxDir, "1.eml"), path.join(backupDir, "old.db")];
  for (const file of files.slice(1)) await writeFile(file, "a secret");
  for (const file of files) await chmod(file, 0o644);
  for (const open of [dataDir, outboxDir, backupDir]) await chmod(open, 0o755);
  const app = await buildApp(folder.config);
  await app.services.database.write(async () => undefined);
  for (const directory of [dataDir, outboxDir, backupDir])
    expect([directory, await rightsOf(directory)]).toEqual([directory, 0o700]);
  const names = (await readdir(dataDir)).filter((name) => name.startsWith("reprise"));
  expect(names).toEqual(
    expect.arrayContaining(["reprise.db", "reprise.db-wal", "reprise.db-shm", "reprise.lock"]),
  );
  for (const file of [...files, ...names.map((name) => path.join(dataDir, name))])
    expect([file, await rightsOf(file)]).toEqual([file, 0o600]);
  await app.close();

  const migrations = path.join(dataDir, "migrations");
  await cp(path.join(projectRoot, "migrations"), migrations, { recursive: true });
  await addMigration(migrations);
  const { backup } = await migrateDatabase(databaseFile, migrations, backupDir);
  expect(await rightsOf(backup ?? "")).toBe(0o600);
});

async function addMigration(migrations: string): Promise<void> {
  const journal = path.join(migrations, "meta/_journal.json");
  const journalJson = JSON.parse(readFileSync(journal, "utf8")) as { entries: object[] };
  journalJson.entries.push({ idx: 99, version: "6", when: Date.now(), tag: "0099_test", breakpoints: true });
  await writeFile(journal, JSON.stringify(journalJson));
  await writeFile(path.join(migrations, "0099_test.sql"), "CREATE TABLE `more` (`id` text);");
}

test("refuses writes on a full disk, still serves pages, and accepts writes once there is room", async ({
  skip,
}) => {
  using disk = mountSmallDisk(12);
  if (!disk) return skip();
  const dataDir = path.join(disk.folder, "data");
  await mkdir(dataDir);
  await using testSite = await startTestSite({ DATA_DIR: dataDir });
  const ana = await testSite.createAccount("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const filler = path.join(disk.folder, "filler");
  execFileSync("sh", ["-c", `cat /dev/zero > ${filler} || true`], { stdio: "ignore" });

  // The write-ahead log has room of its own for a while.
  let storedCount = 0;
  let error: Awaited<ReturnType<typeof refusal>> | undefined;
  while (!error)
    error = await ana.api.comments.create.mutate(aComment(blog, { text: "x".repeat(4_000) })).then(
      () => void storedCount++,
      (cause: unknown) => refusal(Promise.reject(cause)),
    );
  expect(error).toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    retryAfter: 60,
    message: expect.stringContaining("disk is full"),
  });
  expect((await testSite.browser().fetch(`/blog/${blog.slug}`)).status).toBe(200);
  const picture = await send(ana, await paint());
  expect([picture.status, picture.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(await picture.text()).toContain("disk is full");
  const count = () => testSite.rows("select id from comments").length;
  expect(count()).toBe(storedCount);

  // A migration that needs room for a backup leaves the database as it is.
  const migrations = path.join(tmpdir(), `${path.basename(disk.folder)}-migrations`);
  await cp(path.join(projectRoot, "migrations"), migrations, { recursive: true });
  await addMigration(migrations);
  await expect(
    migrateDatabase(testSite.config.databaseFile, migrations, testSite.config.backupDir),
  ).rejects.toThrow(/full/);
  expect(await readdir(testSite.config.backupDir)).toEqual([]);
  await rm(migrations, { recursive: true });

  await rm(filler);
  await ana.api.comments.create.mutate(aComment(blog));
  expect(count()).toBe(storedCount + 1);
  expect((await send(ana, await paint())).status).toBe(200);
}, 60_000);

const serve = async (settings: Record<string, string>) =>
  (await buildApp(readConfig({ LOG_LEVEL: "silent", PORT: "0", ...settings }))).close();

test("refuses folders that it can’t use in one line that names the setting", async () => {
  await using folder = await createDataFolder();
  const { dataDir } = folder.config;
  await writeFile(path.join(dataDir, "file"), "");
  await rm(path.join(dataDir, "media"), { recursive: true, force: true });
  await writeFile(path.join(dataDir, "media"), "");
  const inTheWay = [path.join(dataDir, "file"), path.join(dataDir, "file/sub")];
  // Where Linux lets nobody make a folder, not even root.
  const closed = process.platform === "linux" ? ["/proc/none", "/sys/none/sub"] : [];
  for (const bad of [...inTheWay, ...closed]) {
    const line = new RegExp(`^DATA_DIR is ${bad}, but [^\n]*Set DATA_DIR to a folder of your own`);
    await expect(serve({ DATA_DIR: bad })).rejects.toThrow(line);
    await expect(openServicesForCommand({ DATA_DIR: bad }, "new")).rejects.toThrow(line);
    await expect(
      restoreBackup(readConfig({ DATA_DIR: bad }), "none.tar.gz", { identities: [] }),
    ).rejects.toThrow(line);
    await expect(serve({ DATA_DIR: dataDir, BACKUP_EVERY: "1h", BACKUP_DIR: bad })).rejects.toThrow(
      `BACKUP_DIR is ${bad}, but `,
    );
  }
});

test("says that the disk is full at the first start, and starts once there is room", async ({ skip }) => {
  using disk = mountSmallDisk(0.6);
  if (!disk) return skip();
  const dataDir = path.join(disk.folder, "data");
  await expect(serve({ DATA_DIR: dataDir })).rejects.toThrow(
    `The disk of ${dataDir} is full. Nothing was changed. Free some space and start again.`,
  );
  disk.grow(30);
  await serve({ DATA_DIR: dataDir });
});
