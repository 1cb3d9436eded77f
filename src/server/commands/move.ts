import { existsSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "../database/folders.ts";
import { migrateDatabase } from "../database/sqlite/migrate.ts";
import { lockDataFolder } from "../database/start.ts";
import { copyPostgres } from "../database/move/copy-postgres.ts";
import { moveStore, type MoveResult } from "../database/move/move.ts";
import { openPostgresTarget } from "../database/move/postgres-end.ts";
import { openSqliteSource } from "../database/move/sqlite-end.ts";
import { readConfig } from "../runtime/config.ts";
import { projectRoot } from "../runtime/project-root.ts";
import { command, plural, UsageError } from "./command.ts";

const migrations = path.join(projectRoot, "migrations");

function settings() {
  const config = readConfig(process.env);
  const { databaseUrl } = config;
  if (databaseUrl === undefined)
    throw new UsageError("Set DATABASE_URL to the database of PostgreSQL, for this command.");
  return { config, databaseUrl };
}

/** What was moved, and what to do next. */
const outputOf = (result: MoveResult, next: string) => ({
  lines: [
    `${result.resumed ? "Continued. " : ""}Moved ${plural(
      result.tables.reduce((sum, { rows }) => sum + rows, 0),
      "row",
    )} of ${plural(result.tables.length, "table")}. All are the same in both.`,
    ...(result.changed > 0
      ? [`${plural(result.changed, "text")} had a character that PostgreSQL doesn’t take; it is “�” now.`]
      : []),
    next,
  ],
  json: result,
});

export const commands = [
  command({
    name: "move-to-postgres",
    description:
      "Copies the site in DATA_DIR/reprise.db into the empty database of DATABASE_URL, and compares both. Stop the server first. Run it again after it was stopped: it continues.",
    run: async ({ progress, signal }) => {
      const { config, databaseUrl } = settings();
      const lock = lockDataFolder(config, "Stop it first.");
      try {
        if (!existsSync(config.databaseFile)) throw new Error(`There is no site in ${config.databaseFile}.`);
        await migrateDatabase(config.databaseFile, migrations, config.backupDir);
        const source = openSqliteSource(config.databaseFile);
        const target = await openPostgresTarget(databaseUrl, source.tables, migrations);
        let result: MoveResult;
        try {
          result = await moveStore(source, target, { onProgress: progress, signal: signal() });
        } finally {
          await Promise.all([source.close(), target.close()]);
        }
        return outputOf(
          result,
          `Start the server with DATABASE_URL, and with the same DATA_DIR. ${config.databaseFile} was not changed.`,
        );
      } finally {
        lock.release();
      }
    },
  }),
  command({
    name: "move-to-sqlite",
    description:
      "Copies the site in the database of DATABASE_URL into a new DATA_DIR/reprise.db, and compares both. Stop all servers first. Run it again after it was stopped: it continues.",
    run: async ({ progress, signal }) => {
      const { config } = settings();
      makeFolder("DATA_DIR", config.dataDir);
      const lock = lockDataFolder(config, "Stop it first.");
      const result = await copyPostgres(config, {
        file: config.databaseFile,
        migrations,
        runsOn: false,
        onProgress: progress,
        signal: signal(),
      }).finally(lock.release);
      return outputOf(
        result,
        "Start the server without DATABASE_URL. The database of PostgreSQL was not changed.",
      );
    },
  }),
];
