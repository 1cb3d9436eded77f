import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { newSecret } from "../../runtime/ids.ts";
import { originOf } from "./copy.ts";
import { openSqlite } from "./open.ts";
import { siteSecretKey } from "../site-secret.ts";

export interface Migrated {
  applied: number;
  /** Made before; null when there was nothing to copy. */
  backup: string | null;
}

/**
 * Migrates a database in one transaction, after a backup into `backups`. Throws, and changes nothing, when a migration fails,
 * when rows refer to missing rows afterwards, or when another version made the database.
 */
export async function migrateDatabase(file: string, folder: string, backups: string): Promise<Migrated> {
  mkdirSync(path.dirname(file), { recursive: true });
  const existed = existsSync(file);
  const sqlite = openSqlite(file, false);
  let isMigrated = false;
  try {
    const migrations = readMigrationFiles({ migrationsFolder: folder });
    const done = appliedMigrations(sqlite);
    requireKnown(file, migrations, done);
    const pending = migrations.filter(({ folderMillis }) => !done.includes(folderMillis));
    const backup = pending.length > 0 && done.length > 0 ? await backUp(sqlite, backups) : null;
    if (pending.length > 0) applyMigrations(sqlite, pending, backup);
    isMigrated = true;
    return { applied: pending.length, backup };
  } finally {
    sqlite.close();
    // The next start would take it for a site that lost its data.
    if (!existed && !isMigrated) for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  }
}

async function backUp(sqlite: Sqlite.Database, folder: string): Promise<string> {
  const backup = path.join(folder, `reprise-${new Date().toISOString().replace(/[:.]/g, "-")}.db`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    await sqlite.backup(backup);
    chmodSync(backup, 0o600);
    return backup;
  } catch (error) {
    rmSync(backup, { force: true });
    throw error;
  }
}

type Migration = ReturnType<typeof readMigrationFiles>[number];

/**
 * Foreign keys are off meanwhile: SQLite rebuilds a changed table by dropping it, which would delete every row that refers to
 * it. Dropping a table drops its triggers, too.
 */
function applyMigrations(sqlite: Sqlite.Database, migrations: Migration[], backup: string | null): void {
  sqlite.pragma("foreign_keys = OFF");
  // While a table is rebuilt, triggers of others must refer to the new one.
  sqlite.pragma("legacy_alter_table = ON");
  const triggers = sqlite
    .prepare("select name, tbl_name as tableName, sql from sqlite_master where type = 'trigger'")
    .all() as { name: string; tableName: string; sql: string }[];
  const apply = sqlite.transaction(() => {
    sqlite.exec(
      "create table if not exists __drizzle_migrations (id integer primary key, hash text not null, created_at numeric)",
    );
    const done = appliedMigrations(sqlite);
    for (const { sql, hash, folderMillis } of migrations) {
      // Another process has applied this migration meanwhile.
      if (done.includes(folderMillis)) continue;
      for (const statement of sql) sqlite.exec(statement);
      sqlite
        .prepare("insert into __drizzle_migrations (hash, created_at) values (?, ?)")
        .run(hash, folderMillis);
    }
    const schemaEntry = sqlite.prepare("select 1 from sqlite_master where type = ? and name = ?");
    for (const trigger of triggers) {
      if (!schemaEntry.get("trigger", trigger.name) && schemaEntry.get("table", trigger.tableName))
        sqlite.exec(trigger.sql);
    }
    const broken = sqlite.pragma("foreign_key_check") as { table: string }[];
    if (broken.length > 0) {
      const tables = [...new Set(broken.map((row) => row.table))].join(", ");
      throw new Error(
        `After migrating, rows in ${tables} would refer to rows that are gone. Nothing was changed. A copy is in ${backup}.`,
      );
    }
    createEpochAndSecret(sqlite);
  });
  apply.immediate();
  sqlite.pragma("legacy_alter_table = OFF");
  sqlite.pragma("foreign_keys = ON");
}

/** Creates the epoch and the secret that a database lacks. */
export function createEpochAndSecret(sqlite: Sqlite.Database): void {
  // Clients that saw another epoch start over.
  sqlite
    .prepare("insert or ignore into meta (key, value) values ('live_epoch', ?)")
    .run(newSecret().slice(0, 10));
  sqlite.prepare("insert or ignore into meta (key, value) values (?, ?)").run(siteSecretKey, newSecret());
}

/** Returns the creation times of a database's migrations, which are their names there. */
function appliedMigrations(sqlite: Sqlite.Database): number[] {
  const hasTable = sqlite.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get();
  return hasTable
    ? (sqlite.prepare("select created_at from __drizzle_migrations").pluck().all() as number[])
    : [];
}

/** Throws, with a line for the operator, when the database has migrations that this version does not know. */
function requireKnown(file: string, migrations: Migration[], done: number[]): void {
  const origin = originOf(
    done,
    migrations.map(({ folderMillis }) => folderMillis),
  );
  if (origin === "known") return;
  throw new Error(
    origin === "newer"
      ? `The database ${file} is from a newer version of Reprise. Start that version, or a newer one.`
      : `The database ${file} is from 0.1.0 or before, which this version can’t read. With that version, run "npm run reprise -- export USERNAME" for each member. With this one and a new DATA_DIR, add them ("user add") and import each file: npm run reprise -- import reprise FILE --author USERNAME`,
  );
}
