import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Drizzle } from "../connection.ts";
import * as schema from "../schema/index.ts";

/** PostgreSQL takes no U+0000, which what people ask for may contain: it finds nothing. */
const withoutNul = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;

/** What happens before each statement, and after one that fails. */
interface StatementHooks {
  check?: () => void;
  onFailure: () => unknown;
}

/** Opens Drizzle on a connection or a pool. */
export function openPostgresDrizzle(client: pg.ClientBase | pg.Pool, hooks?: StatementHooks): Drizzle {
  const query = (statement: pg.QueryConfig, values?: unknown[]) => {
    hooks?.check?.();
    const result = client.query(statement, values?.map(withoutNul));
    if (hooks) result.catch(hooks.onFailure);
    return result;
  };
  return drizzle({ client: { query } as pg.Client, schema }) as unknown as Drizzle;
}
