import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isPostgres } from "../../src/server/database/schema/store.ts";
import Sqlite from "better-sqlite3";
import { createEpochAndSecret, migrateDatabase } from "../../src/server/database/sqlite/migrate.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** The migrated empty database. Migrations run once per process, since they take most of a server's start. */
let migrated: Promise<Buffer> | undefined;

/** Creates a folder with the database of a first start, with an epoch and secret of its own. */
export async function createDatabaseFolder(prefix: string): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), prefix));
  if (isPostgres) return dataDir;
  const file = path.join(dataDir, "reprise.db");
  await writeFile(file, await (migrated ??= migrate()), { mode: 0o600 });
  const sqlite = new Sqlite(file);
  sqlite.pragma("synchronous = OFF");
  sqlite.transaction(createEpochAndSecret)(sqlite);
  sqlite.close();
  return dataDir;
}

async function migrate(): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-migrated-"));
  try {
    const file = path.join(folder, "reprise.db");
    await migrateDatabase(file, path.join(root, "migrations"), folder);
    const sqlite = new Sqlite(file);
    sqlite.exec("delete from meta");
    sqlite.close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
