import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Drizzle } from "./connection.ts";
import * as schema from "./schema/index.ts";

/** PostgreSQL takes no U+0000, which what people ask for may contain: it finds nothing. */
const withoutNul = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;

/** Opens Drizzle on a connection or a pool. `check` is called before each statement. */
export function openPostgresDrizzle(client: pg.ClientBase | pg.Pool, check?: () => void): Drizzle {
  const run = client.query.bind(client) as (query: unknown, values?: unknown[]) => Promise<unknown>;
  const query = (statement: unknown, values?: unknown[]) => {
    check?.();
    return run(statement, values?.map(withoutNul));
  };
  return drizzle({ client: { query } as pg.Client, schema }) as unknown as Drizzle;
}
