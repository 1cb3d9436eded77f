import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { newSecret } from "../runtime/ids.ts";
import { knownMigrations } from "./copy.ts";
import { isDiskFull } from "./errors.ts";
import { openSqlite } from "./sqlite.ts";
import { siteSecretKey } from "./site-secret.ts";

export interface Migrated {
  applied: number;
  /** Made before; null when there was nothing to copy. */
  backup: string | null;
}

/**
 * Migrates a database after a backup into `backups`. Foreign keys are off meanwhile: SQLite rebuilds a changed table by
 * dropping it, which would delete every row that refers to it. Restores the backup and throws when references are broken
 * afterwards.
 */
export async function migrateDatabase(file: string, folder: string, backups: string): Promise<Migrated> {
  mkdirSync(path.dirname(file), { recursive: true });
  const existed = existsSync(file);
  const sqlite = openSqlite(file, false);
  try {
    const pending = pendingMigrations(sqlite, folder);
    if (pending === 0) return { applied: 0, backup: null };
    const backup =
      existed && hasTables(sqlite)
        ? path.join(backups, `reprise-${new Date().toISOString().replace(/[:.]/g, "-")}.db`)
        : null;
    if (backup) {
      mkdirSync(backups, { recursive: true, mode: 0o700 });
      try {
        await sqlite.backup(backup);
        chmodSync(backup, 0o600);
      } catch (error) {
        rmSync(backup, { force: true });
        throw error;
      }
    }
    try {
      applyMigrations(sqlite, folder, backup);
    } catch (error) {
      sqlite.close();
      // On a full disk nothing was committed, and there is no room to restore.
      if (backup && !isDiskFull(error)) await restore(backup, file);
      // The next start would take it for a site that lost its data.
      if (!existed) for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
      throw error;
    }
    return { applied: pending, backup };
  } finally {
    sqlite.close();
  }
}

/** Overwrites the database, even while other processes have it open. */
async function restore(backup: string, file: string): Promise<void> {
  const copy = openSqlite(backup, true);
  try {
    await copy.backup(file);
  } finally {
    copy.close();
  }
}

function applyMigrations(sqlite: Sqlite.Database, folder: string, backup: string | null): void {
  const triggers = sqlite
    .prepare("select name, tbl_name as tableName, sql from sqlite_master where type = 'trigger'")
    .all() as { name: string; tableName: string; sql: string }[];
  sqlite.pragma("foreign_keys = OFF");
  // While a table is rebuilt, triggers of others must refer to the new one.
  sqlite.pragma("legacy_alter_table = ON");
  // SQLite rolls back by itself on a full disk; drizzle's rollback after it would fail, and hide the reason.
  const prepare = sqlite.prepare.bind(sqlite) as (source: string) => Sqlite.Statement;
  const nothing = { run: () => undefined };
  sqlite.prepare = ((source: string) =>
    source === "ROLLBACK" && !sqlite.inTransaction ? nothing : prepare(source)) as typeof sqlite.prepare;
  migrate(drizzle(sqlite), { migrationsFolder: folder });
  const schemaEntry = sqlite.prepare("select 1 from sqlite_master where type = ? and name = ?");
  for (const trigger of triggers) {
    if (!schemaEntry.get("trigger", trigger.name) && schemaEntry.get("table", trigger.tableName))
      sqlite.exec(trigger.sql);
  }
  const broken = sqlite.pragma("foreign_key_check") as { table: string }[];
  if (broken.length > 0) {
    const tables = [...new Set(broken.map((row) => row.table))].join(", ");
    throw new Error(
      `After migrating, rows in ${tables} refer to rows that are gone. ${backup ? `A copy from before is in ${backup}.` : ""}`,
    );
  }
  sqlite.pragma("legacy_alter_table = OFF");
  sqlite.pragma("foreign_keys = ON");
  createEpochAndSecret(sqlite);
}

/** Creates the epoch and the secret that a database lacks. */
export function createEpochAndSecret(sqlite: Sqlite.Database): void {
  // Clients that saw another epoch start over.
  sqlite
    .prepare("insert or ignore into meta (key, value) values ('live_epoch', ?)")
    .run(newSecret().slice(0, 10));
  sqlite.prepare("insert or ignore into meta (key, value) values (?, ?)").run(siteSecretKey, newSecret());
}

const hasTables = (sqlite: Sqlite.Database) =>
  sqlite.prepare("select 1 from sqlite_master where type = 'table' limit 1").get() !== undefined;

function pendingMigrations(sqlite: Sqlite.Database, folder: string): number {
  const migrationsTable = sqlite
    .prepare("select 1 from sqlite_master where name = '__drizzle_migrations'")
    .get();
  const last = migrationsTable
    ? ((
        sqlite.prepare("select max(created_at) as at from __drizzle_migrations").get() as {
          at: number | null;
        }
      ).at ?? 0)
    : 0;
  return knownMigrations(folder).filter(({ when }) => when > last).length;
}
