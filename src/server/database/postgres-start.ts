import path from "node:path";
import pg from "pg";
import type { Database } from "./connection.ts";
import { isConnectionLost } from "./errors.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { openPostgres } from "./postgres-database.ts";
import { isPostgres } from "./schema/store.ts";
import type { Opening } from "./start.ts";
import type { WriterOptions } from "./writer.ts";

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
    if (site === "existing" && !(await hasSite(url)))
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

async function hasSite(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: string | null }>(
      "select to_regclass('meta')::text as found",
    );
    return rows[0]?.found !== null;
  } finally {
    await client.end();
  }
}
