import pg from "pg";

/* How values come from PostgreSQL: as from SQLite. Whole numbers and sums are numbers, conditions 1 or 0, and JSON is text. */
const { BOOL, INT8, NUMERIC, JSON: JsonType } = pg.types.builtins;
pg.types.setTypeParser(INT8, Number);
pg.types.setTypeParser(NUMERIC, Number);
pg.types.setTypeParser(BOOL, (value) => (value === "t" ? 1 : 0));
pg.types.setTypeParser(JsonType, (value: string) => value);

/**
 * Settings of each connection, in milliseconds. A process that hangs with an open transaction holds up the writes of all: the server
 * ends it.
 */
export interface ConnectionLimits {
  lockTimeoutMs: number;
  statementTimeoutMs: number;
  idleTransactionTimeoutMs: number;
}

export const connectionSettings = (
  url: string,
  { lockTimeoutMs, statementTimeoutMs, idleTransactionTimeoutMs }: ConnectionLimits,
): pg.ClientConfig => ({
  connectionString: url,
  application_name: "reprise",
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  // Queries are sent without waiting for the answers of those before them.
  pipeline: true,
  lock_timeout: lockTimeoutMs,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  // Where no answer comes, not even that of the server's own timeout.
  query_timeout: statementTimeoutMs + 1_000,
  // Most queries read a few rows along an index: planning them for each run, or compiling them, takes longer than they do.
  options: "-c plan_cache_mode=force_generic_plan -c jit=off",
});
