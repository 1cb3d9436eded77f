import type Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { Drizzle } from "../connection.ts";
import * as schema from "../schema/index.ts";

/**
 * Returns the statement with `+?` for `?`. SQLite plans a statement with a bare parameter again at each run, since the value may
 * allow a better plan; most of ours then take three to thirty times as long, a member's article half as long again, and a comment
 * twice (docs/decisions/0009-page-rendering-and-weight.md). `+?` is the same value, and affects no plan.
 */
export const withStablePlan = (source: string): string =>
  source.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) => (part === "?" ? "+?" : part));

/** Opens Drizzle on a connection, with stable plans. `check` is called before each statement. */
export function openDrizzle(sqlite: Sqlite.Database, check?: () => void): Drizzle {
  const prepare = (source: string): Sqlite.Statement => {
    const statement = sqlite.prepare(withStablePlan(source));
    return check ? withCheck(statement, check) : statement;
  };
  const client = Object.create(sqlite, {
    prepare: { value: prepare, writable: true },
  }) as Sqlite.Database;
  return drizzle({ client, schema }) as unknown as Drizzle;
}

function withCheck(statement: Sqlite.Statement, check: () => void): Sqlite.Statement {
  for (const method of ["run", "get", "all"] as const) {
    const run = statement[method].bind(statement) as (...values: unknown[]) => never;
    statement[method] = (...values: unknown[]) => {
      check();
      return run(...values);
    };
  }
  return statement;
}
