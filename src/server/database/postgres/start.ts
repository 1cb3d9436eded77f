import path from "node:path";
import pg from "pg";
import type { Database } from "../connection.ts";
import { isConnectionLost } from "../errors.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgres } from "./database.ts";
import { isPostgres } from "../schema/store.ts";
import type { Opening } from "../start.ts";
import type { WriterOptions } from "../writer.ts";

/**
 * Migrates and opens a database of a PostgreSQL server. Refuses one without a site, unless the caller may create a "new" one. Throws an
 * Error of one line that says what to do.
 */
export async function openPostgresFor(
  { migrations, signal }: Opening,
  url: string,
  site: "existing" | "new",
  options: Omit<WriterOptions, "signal">,
): Promise<Database> {
  if (!isPostgres) throw new Error("DATABASE_URL must be in the environment when the program starts.");
  try {
    const { hasSite, isMoving } = await stateOf(url);
    if (isMoving)
      throw new Error(
        "A site is being moved to the database of DATABASE_URL. Run again: npm run reprise -- move-to-postgres",
      );
    if (site === "existing" && !hasSite)
      throw new Error("There is no site in the database of DATABASE_URL. Start the server once.");
    await migratePostgres(url, path.join(migrations, "postgres"));
    return await openPostgres(url, signal, options);
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    const { host } = new URL(url);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `PostgreSQL at ${host || "DATABASE_URL"} cannot be reached (${reason}). Start it, or correct DATABASE_URL.`,
      {
        cause: error,
      },
    );
  }
}

/** Returns whether there is a site, or one to come (move/postgres-end.ts). */
async function stateOf(url: string): Promise<{ hasSite: boolean; isMoving: boolean }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ hasSite: boolean; isMoving: boolean }>(
      `select to_regclass('meta') is not null as "hasSite", to_regclass('moving') is not null as "isMoving"`,
    );
    return rows[0] ?? { hasSite: false, isMoving: false };
  } finally {
    await client.end();
  }
}
