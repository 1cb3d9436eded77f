import pg from "pg";
import { AppError, shuttingDown } from "../../shared/errors.ts";
import type { Connection, Database, Drizzle } from "./connection.ts";
import { isConnectionLost } from "./errors.ts";
import { connectionSettings, openPostgresDrizzle } from "./postgres-client.ts";
import { Writer, type WriteConnection, type WriterOptions } from "./writer.ts";

/** Connections for reading. */
const maxReaders = 8;
const limits = { lockTimeoutMs: 5_000, statementTimeoutMs: 30_000, idleTransactionTimeoutMs: 10_000 };

/** Opens a migrated database of a PostgreSQL server. */
export async function openPostgres(
  url: string,
  signal: WriterOptions["signal"],
  options: Omit<WriterOptions, "signal"> = {},
): Promise<Database> {
  const { onError = () => undefined } = options;
  const pool = new pg.Pool({ ...connectionSettings(url, limits), max: maxReaders });
  // An idle connection that ends is replaced at the next query.
  pool.on("error", (error) => onError(error, "a connection to PostgreSQL ended"));
  const read: Connection = { drizzle: openPostgresDrizzle(pool) };
  const snapshots = new WeakMap<pg.PoolClient, Drizzle>();
  const writer = new Writer((check) => new PostgresWriteConnection(url, check, onError), {
    signal,
    ...options,
  });
  let isClosed = false;
  return {
    read,
    file: new URL(url).pathname,
    dataVersion: () => 0,
    snapshot: async (work) => {
      if (isClosed) throw shuttingDown();
      const client = await pool.connect();
      let drizzle = snapshots.get(client);
      if (!drizzle) snapshots.set(client, (drizzle = openPostgresDrizzle(client)));
      let failure: Error | undefined;
      try {
        await client.query("begin isolation level repeatable read read only");
        const result = await work({ drizzle });
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch((cause: Error) => (failure = cause));
        throw error;
      } finally {
        // One that cannot roll back is closed.
        client.release(failure);
      }
    },
    write: (work) => writer.write(work),
    writes: () => writer.counts,
    close: async () => {
      await writer.close();
      isClosed = true;
      await pool.end();
    },
  };
}

/** The number of the lock that each write batch of all processes takes first: sequences alone commit out of order. */
const writeLock = 7_238_461;
/** Milliseconds for a job, which awaits the network at each statement. */
const jobTimeoutMs = 10_000;

/** Connects at the first write, and again after a connection is lost. */
class PostgresWriteConnection implements WriteConnection {
  readonly jobTimeoutMs = jobTimeoutMs;
  readonly #url: string;
  readonly #check: () => void;
  readonly #onError: NonNullable<WriterOptions["onError"]>;
  #line: { client: pg.Client; drizzle: Drizzle } | undefined;
  inTransaction = false;

  constructor(url: string, check: () => void, onError: NonNullable<WriterOptions["onError"]>) {
    this.#url = url;
    this.#check = check;
    this.#onError = onError;
  }

  get drizzle(): Drizzle {
    return this.#open().drizzle;
  }

  async begin(): Promise<void> {
    const { client } = this.#line ?? (await this.#connect());
    try {
      await client.query(`begin; select pg_advisory_xact_lock(${writeLock})`);
      this.inTransaction = true;
    } catch (error) {
      await client.query("rollback").catch(() => this.#drop());
      throw error;
    }
  }

  beginJob = () => this.#run("savepoint job");
  endJob = () => this.#run("release job");
  undoJob = () => this.#run("rollback to job; release job");

  async commit(): Promise<void> {
    await this.#run("commit");
    this.inTransaction = false;
  }

  async rollback(): Promise<void> {
    this.inTransaction = false;
    await this.#run("rollback").catch(() => this.#drop());
  }

  async close(): Promise<void> {
    await this.#line?.client.end();
  }

  async #connect(): Promise<{ client: pg.Client; drizzle: Drizzle }> {
    const client = new pg.Client(connectionSettings(this.#url, limits));
    client.on("error", (error) => {
      this.#onError(error, "the connection that writes to PostgreSQL ended");
      if (this.#line?.client === client) this.#drop();
    });
    await client.connect();
    return (this.#line = { client, drizzle: openPostgresDrizzle(client, this.#check) });
  }

  #open(): { client: pg.Client; drizzle: Drizzle } {
    if (!this.#line)
      throw new AppError("unavailable", "The site is busy. Please try again in a moment.", { retryAfter: 5 });
    return this.#line;
  }

  async #run(statement: string): Promise<void> {
    try {
      await this.#open().client.query(statement);
    } catch (error) {
      if (isConnectionLost(error)) this.#drop();
      throw error;
    }
  }

  /** The server rolls back what a lost connection left open. */
  #drop(): void {
    const line = this.#line;
    this.#line = undefined;
    this.inTransaction = false;
    line?.client.end().catch(() => undefined);
  }
}
