import type Sqlite from "better-sqlite3";
import { withStablePlan } from "./drizzle.ts";

/** More than the statements in the code: only SQL built from input could reach it. */
const maxCached = 100;

interface Cached {
  rows: Map<string, Sqlite.Statement>;
  values: Map<string, Sqlite.Statement>;
}
const caches = new WeakMap<Sqlite.Database, Cached>();

type Statement<Parameters extends unknown[] | object, Result> = Parameters extends unknown[]
  ? Sqlite.Statement<Parameters, Result>
  : Sqlite.Statement<[Parameters], Result>;

/**
 * Returns a statement that reads rows, prepared once per connection: SQLite frees its memory only when the garbage collector
 * takes the small object; without a cache each search grew the server by 80 kB. Statements are shared: do not run one again
 * while a loop over its `iterate()` is open.
 */
export const rowStatement = <Parameters extends unknown[] | object, Row>(
  sqlite: Sqlite.Database,
  source: string,
): Statement<Parameters, Row> => cached(sqlite, "rows", source) as Statement<Parameters, Row>;

/** As `rowStatement`, for the value of the only column. */
export const valueStatement = <Parameters extends unknown[] | object, Value>(
  sqlite: Sqlite.Database,
  source: string,
): Statement<Parameters, Value> => cached(sqlite, "values", source) as Statement<Parameters, Value>;

function cached(sqlite: Sqlite.Database, kind: keyof Cached, source: string): Sqlite.Statement {
  let cache = caches.get(sqlite);
  if (!cache) caches.set(sqlite, (cache = { rows: new Map(), values: new Map() }));
  const statements = cache[kind];
  const statement = statements.get(source) ?? sqlite.prepare(withStablePlan(source)).pluck(kind === "values");
  // In the order of last use.
  statements.delete(source);
  statements.set(source, statement);
  const [oldest] = statements.keys();
  if (statements.size > maxCached && oldest !== undefined) statements.delete(oldest);
  return statement;
}
