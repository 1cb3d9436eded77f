import type { SQL } from "drizzle-orm";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type * as schema from "./schema/index.ts";
import { isPostgres } from "./schema/store.ts";
import type { Transaction } from "./writer.ts";

/** What the driver of either store says of a write. */
interface Written {
  changes?: number;
  rowCount?: number | null;
}

/**
 * Builds queries for the store of this process. A query runs when it is awaited: what runs it at once (`all`, `get`, `run`) exists for
 * SQLite only. The types are those of SQLite.
 */
export type Drizzle = BaseSQLiteDatabase<"async", Written, typeof schema>;

/** For reading, or an open transaction. */
export interface Connection {
  readonly drizzle: Drizzle;
  /** Whether a snapshot can be read no more: it took too long, or PostgreSQL refuses what follows a statement that failed. */
  readonly hasFailed?: boolean;
}

/** The database. `read` never sees an open transaction; only `write` changes anything. */
export interface Database {
  readonly read: Connection;
  /** Reads what is stored now, also where `read` is a snapshot: for what requests share, which must not be older than the last signal. */
  readonly latest: Connection;
  /**
   * Runs `work` on a connection whose reads all see one snapshot. Other reads of the same request share it (`joinSnapshots`) unless it is to
   * be `alone`, as what takes long: a snapshot occupies a connection until its last read.
   */
  snapshot<T>(work: (read: Connection) => Promise<T>, options?: { alone: true }): Promise<T>;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Numbers of writes: waiting, and stored since the start. */
  writes(): { waiting: number; stored: number };
  /** The file of SQLite; empty for PostgreSQL. */
  readonly file: string;
  /** Bytes of the database and, of SQLite, of its write-ahead log. */
  sizes(): Promise<Record<string, number>>;
  /** Whether this process stored an event, until it is forgotten. */
  isOwn(seq: number): boolean;
  forgetOwn(seqs: number[]): void;
  /** The other servers of the site; undefined where the store has one server. */
  readonly servers?: ServerConnection;
  /** Runs statements that all servers count with, each by itself and not in the order of writes; undefined where the store has one server. */
  readonly counts?: CountStore;
  /** Closes after the queued writes. */
  close(): Promise<void>;
}

/** A connection as `rate-limiter-flexible` needs it. Fails within seconds if the store does not answer. */
export interface CountStore {
  query(statement: { text: string; values?: unknown[]; name?: string }): Promise<unknown>;
}

/** What a server is called for. */
export interface ServerListener {
  /** Another process has written something. */
  onWritten?(): void;
  /** A text that another server sent. */
  onMessage?(text: string): void;
  /** After a time in which it was not called. */
  onConnect(): void;
}

/** Connects the servers of a site. */
export interface ServerConnection {
  /** Sends a text of at most 7,999 bytes to the other servers. It is stored nowhere. Throws while they cannot be reached. */
  send(text: string): Promise<void>;
  /** Calls `listener` until the returned function is called. */
  listen(listener: ServerListener): () => void;
}

type Values = Record<string, unknown>;

/** A query that is built and parsed once; `values` are those of its placeholders. */
export interface PreparedQuery<Row> {
  all(values?: Values): Promise<Row[]>;
  get(values?: Values): Promise<Row | undefined>;
  run(values?: Values): Promise<{ changes: number }>;
  /** Its text and parameters. */
  getQuery(): { sql: string; params: unknown[] };
}

type RowOf<Result> = Result extends (infer Row)[] ? Row : never;

/** Prepares a query once per connection: building costs many times more than running. Parameters are `sql.placeholder`s. */
export function preparedQuery<Result>(
  build: (drizzle: Drizzle) => PromiseLike<Result>,
): (connection: Connection) => PreparedQuery<RowOf<Result>> {
  const prepared = new WeakMap<Drizzle, PreparedQuery<RowOf<Result>>>();
  const name = `q${++queriesNamed}`;
  return ({ drizzle }) => {
    let query = prepared.get(drizzle);
    if (!query) {
      const built = build(drizzle) as unknown as Preparable<RowOf<Result>>;
      prepared.set(drizzle, (query = isPostgres ? ofPostgres(built, name) : ofSqlite(built)));
    }
    return query;
  };
}
/** PostgreSQL knows prepared queries by names, which are the connection's own. */
let queriesNamed = 0;

/** A query of either store's Drizzle. */
interface Preparable<Row> {
  prepare(name?: string): {
    all(values?: Values): Row[];
    get(values?: Values): Row | undefined;
    run(values?: Values): { changes: number };
    execute(values?: Values): Promise<unknown>;
    getQuery(): { sql: string; params: unknown[] };
  };
}

function ofSqlite<Row>(query: Preparable<Row>): PreparedQuery<Row> {
  const prepared = query.prepare();
  return {
    all: async (values) => prepared.all(values),
    get: async (values) => prepared.get(values),
    run: async (values) => prepared.run(values),
    getQuery: () => prepared.getQuery(),
  };
}

function ofPostgres<Row>(query: Preparable<Row>, name?: string): PreparedQuery<Row> {
  const prepared = query.prepare(name);
  const all = async (values?: Values) => (await prepared.execute(values)) as Row[];
  return {
    all,
    get: async (values) => (await all(values))[0],
    run: async (values) => ({ changes: ((await prepared.execute(values)) as Written).rowCount ?? 0 }),
    getQuery: () => prepared.getQuery(),
  };
}

/** Returns the rows of a query with placeholders that is another one at each call. */
export const rowsWith = <Row>(query: PromiseLike<Row[]>, values: Values): Promise<Row[]> =>
  (isPostgres ? ofPostgres : ofSqlite)(query as unknown as Preparable<Row>).all(values);

/** The first row of a query. */
export const first = async <Row>(query: PromiseLike<Row[]>): Promise<Row | undefined> => (await query)[0];

/** Runs a write, and returns how many rows it changed. */
export async function changes(write: PromiseLike<Written>): Promise<number> {
  const { changes: changed, rowCount } = await write;
  return changed ?? rowCount ?? 0;
}

/** Drizzle of PostgreSQL. */
interface PostgresDrizzle {
  execute(statement: SQL | string): Promise<{ rows: unknown[] }>;
}

/** Returns the rows of a statement that the builder cannot express. */
export const rowsOf = async <Row>({ drizzle }: Connection, statement: SQL | string): Promise<Row[]> =>
  isPostgres
    ? ((await (drizzle as unknown as PostgresDrizzle).execute(statement)).rows as Row[])
    : drizzle.all<Row>(statement);

/** Runs a statement that the builder cannot express. */
export async function execute(connection: Connection, statement: SQL | string): Promise<void> {
  if (isPostgres) await rowsOf(connection, statement);
  else await connection.drizzle.run(statement);
}
