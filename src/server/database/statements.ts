import type Sqlite from "better-sqlite3";

/** Higher than the number of statements in the code: only SQL that is built from input could reach it. */
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
 * Returns a statement that reads rows. Each connection prepares it once, because SQLite frees the memory of a statement only
 * when the garbage collector takes its small object: the search thread makes so few objects that the server grew by 80 kB with
 * each search. A cached statement is shared: do not run it again while a loop over its `iterate()` is open.
 */
export const rowStatement = <Parameters extends unknown[] | object, Row>(
  sqlite: Sqlite.Database,
  source: string,
): Statement<Parameters, Row> => cached(sqlite, "rows", source) as Statement<Parameters, Row>;

/** Returns a statement that reads the value of its only column, cached like those of `rowStatement`. */
export const valueStatement = <Parameters extends unknown[] | object, Value>(
  sqlite: Sqlite.Database,
  source: string,
): Statement<Parameters, Value> => cached(sqlite, "values", source) as Statement<Parameters, Value>;

function cached(sqlite: Sqlite.Database, kind: keyof Cached, source: string): Sqlite.Statement {
  let cache = caches.get(sqlite);
  if (!cache) caches.set(sqlite, (cache = { rows: new Map(), values: new Map() }));
  const statements = cache[kind];
  const statement = statements.get(source) ?? sqlite.prepare(source).pluck(kind === "values");
  // The statements are in the order of their last use: the first is dropped where there are too many.
  statements.delete(source);
  statements.set(source, statement);
  const [oldest] = statements.keys();
  if (statements.size > maxCached && oldest !== undefined) statements.delete(oldest);
  return statement;
}
