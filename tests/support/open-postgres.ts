import { onTestFinished } from "vitest";
import { openPostgres } from "../../src/server/database/postgres/database.ts";
import { databaseSettings } from "./postgres.ts";

/** Returns the address of a new database, where the tests run on PostgreSQL. */
export async function createDatabase(): Promise<string> {
  const { DATABASE_URL = "" } = await databaseSettings(`a database of its own ${Math.random()}`);
  return DATABASE_URL;
}

/** Opens a database without a server until the test ends, and notes its errors. */
export async function openAlone(url: string) {
  const errors: string[] = [];
  const database = await openPostgres(url, () => undefined, { onError: (_error, what) => errors.push(what) });
  onTestFinished(() => database.close());
  return { database, errors };
}
