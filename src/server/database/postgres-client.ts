import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Drizzle } from "./connection.ts";
import * as schema from "./schema/index.ts";

/** PostgreSQL takes no U+0000, which what people ask for may contain: it finds nothing. */
const withoutNul = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;

/** A connection on which queries wait for their turn, as its driver asks: what reads several things at once does not wait itself. */
export class PostgresClient extends pg.Client {
  #last: Promise<unknown> = Promise.resolve();

  override query = ((...query: [pg.QueryConfig, unknown[]?, unknown?]) => {
    const run = () => super.query(...(query as [pg.QueryConfig]));
    // The pool's own, which has the connection to itself.
    if (typeof query.at(-1) === "function") return run();
    const result = this.#last.then(run);
    this.#last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }) as pg.Client["query"];
}

/** Opens Drizzle on a connection or a pool. `check` is called before each statement. */
export function openPostgresDrizzle(client: pg.ClientBase | pg.Pool, check?: () => void): Drizzle {
  const run = client.query.bind(client) as (query: unknown, values?: unknown[]) => Promise<unknown>;
  const query = (statement: unknown, values?: unknown[]) => {
    check?.();
    return run(statement, values?.map(withoutNul));
  };
  return drizzle({ client: { query } as pg.Client, schema }) as unknown as Drizzle;
}
