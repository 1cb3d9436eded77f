import path from "node:path";
import Sqlite from "better-sqlite3";
import { databaseSettings, postgresRowsAtOnce } from "./postgres.ts";
import { openPostgres } from "../../src/server/database/postgres/database.ts";
import { rowsOf, type Database } from "../../src/server/database/connection.ts";
import { openDatabase } from "../../src/server/database/sqlite/database.ts";
import type { TestSite } from "./test-site.ts";

/** The environment of a command for a site. */
export const environmentOf = ({ config: { dataDir, databaseUrl } }: TestSite): NodeJS.ProcessEnv => ({
  ...process.env,
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
});

/** Opens a site's database once more, as another process does. */
export async function openSecondDatabase(
  { config: { databaseFile, databaseUrl } }: TestSite,
  signal: (topics: Iterable<string>) => void = () => undefined,
): Promise<Database> {
  return databaseUrl === undefined ? openDatabase(databaseFile, signal) : openPostgres(databaseUrl, signal);
}

/** Works on the database of a data folder, beside the server that uses it. */
export async function besideServer<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const { DATABASE_URL } = await databaseSettings(dataDir);
  const database = await (DATABASE_URL === undefined
    ? openDatabase(path.join(dataDir, "reprise.db"), () => undefined)
    : openPostgres(DATABASE_URL, () => undefined));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Changes the database of a data folder by one statement, and returns how many rows it changed. */
export const changeBeside = (dataDir: string, statement: string): Promise<number> =>
  besideServer(dataDir, ({ write }) =>
    write(async (tx) => (await rowsOf(tx, `${statement} returning 1`)).length),
  );

/** Returns the rows of a statement on the database of a data folder. */
export const rowsBeside = <Row>(dataDir: string, statement: string): Promise<Row[]> =>
  besideServer(dataDir, ({ read }) => rowsOf<Row>(read, statement));

/** Changes a site's database without waiting, as another process does. */
export function runAtOnce({ config: { databaseFile, databaseUrl } }: TestSite, statement: string): void {
  if (databaseUrl !== undefined) return void postgresRowsAtOnce(databaseUrl, statement);
  const store = new Sqlite(databaseFile);
  store.exec(statement);
  store.close();
}
