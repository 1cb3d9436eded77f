import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Drizzle } from "../connection.ts";
import { asStoreError, isConnectionLost, StoreUnreachable } from "../errors.ts";
import { openPostgresDrizzle } from "./drizzle.ts";
import { connectionSettings } from "./settings.ts";
import { indexPending } from "./search-index.ts";
import type { WriteConnection, WriterOptions } from "../writer.ts";

/** The number of the lock that each write batch of all processes takes first: sequences alone commit out of order. */
export const writeLock = 7_238_461;
/**
 * A batch waits for its turn and is tried again until its jobs have waited too long. A process that hangs while it holds the lock is cut
 * off, so that the others' batches still get it in time.
 */
const limits = { lockTimeoutMs: 5_000, statementTimeoutMs: 30_000, idleTransactionTimeoutMs: 3_000 };
/** Milliseconds for a job, which awaits the network at each statement. */
const jobTimeoutMs = 10_000;
/** Milliseconds to find out whether a transaction was committed whose answer was lost. */
const outcomeTimeoutMs = 5_000;

interface Line {
  client: pg.Client;
  drizzle: Drizzle;
}

/** Connects at the first write, and again after a connection is lost. */
export class PostgresWriteConnection implements WriteConnection {
  readonly jobTimeoutMs = jobTimeoutMs;
  readonly #url: string;
  readonly #check: () => void;
  readonly #onError: NonNullable<WriterOptions["onError"]>;
  #line: Line | undefined;
  #transaction: string | undefined;
  #isFirstJob = false;
  /** Whether a statement that the job awaited has failed: PostgreSQL refuses what follows. */
  #hasFailed = false;

  constructor(url: string, check: () => void, onError: NonNullable<WriterOptions["onError"]>) {
    this.#url = url;
    this.#check = check;
    this.#onError = onError;
  }

  get drizzle(): Drizzle {
    return this.#open().drizzle;
  }

  get inTransaction(): boolean {
    return this.#transaction !== undefined;
  }

  async begin(): Promise<void> {
    const { client } = this.#line ?? (await this.#connect());
    try {
      const results = (await client.query(
        `begin; select pg_advisory_xact_lock(${writeLock}); select pg_current_xact_id()::text as id; savepoint job`,
      )) as unknown as pg.QueryResult<{ id: string }>[];
      this.#transaction = results.at(-2)?.rows[0]?.id;
      this.#isFirstJob = true;
    } catch (error) {
      await client.query("rollback").catch(() => this.#drop());
      throw asStoreError(error);
    }
  }

  /** The first savepoint began with the transaction; the others end the one before. */
  beginJob = (): Promise<void> | void => {
    this.#hasFailed = false;
    if (!this.#isFirstJob) return this.#run("release job; savepoint job");
    this.#isFirstJob = false;
  };
  /** Its savepoint stays until the next one or the commit: a message less. */
  endJob(): void {
    if (this.#hasFailed) throw new Error("A statement of this write failed, and the write continued.");
  }
  undoJob = () => this.#run("rollback to job");

  async commit(): Promise<void> {
    const transaction = this.#transaction;
    await this.#on((client) => indexPending(client, this.#onError));
    try {
      await this.#on(async (client) => {
        // A transaction that failed is rolled back without an error.
        const { command } = await client.query("commit");
        if (command !== "COMMIT") throw new Error("PostgreSQL rolled a write back.");
      });
    } catch (error) {
      if (!isConnectionLost(error) || !transaction || !(await this.#wasCommitted(transaction))) throw error;
    }
    this.#transaction = undefined;
  }

  async rollback(): Promise<void> {
    this.#transaction = undefined;
    await this.#run("rollback").catch(() => this.#drop());
  }

  async close(): Promise<void> {
    await this.#line?.client.end();
  }

  async #connect(): Promise<Line> {
    const client = new pg.Client(connectionSettings(this.#url, limits));
    client.on("error", (error) => {
      this.#onError(error, "the connection that writes to PostgreSQL ended");
      if (this.#line?.client === client) this.#drop();
    });
    await client.connect().catch((error: unknown) => {
      throw asStoreError(error);
    });
    return (this.#line = {
      client,
      drizzle: openPostgresDrizzle(client, { check: this.#check, onFailure: () => (this.#hasFailed = true) }),
    });
  }

  #open(): Line {
    if (!this.#line) throw new StoreUnreachable("The connection to PostgreSQL was lost.");
    return this.#line;
  }

  #run = (statement: string): Promise<void> => this.#on((client) => client.query(statement));

  async #on(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    try {
      await work(this.#open().client);
    } catch (error) {
      if (isConnectionLost(error)) this.#drop();
      throw asStoreError(error);
    }
  }

  /** Asks on another connection, as the server may have committed before the connection was lost. */
  async #wasCommitted(transaction: string): Promise<boolean> {
    const until = Date.now() + outcomeTimeoutMs;
    for (; Date.now() < until; await pause(50)) {
      try {
        const { client } = this.#line ?? (await this.#connect());
        const { rows } = await client.query<{ status: string }>("select pg_xact_status($1::xid8) as status", [
          transaction,
        ]);
        // The server has not noticed the loss yet.
        if (rows[0]?.status !== "in progress") return rows[0]?.status === "committed";
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
      }
    }
    return false;
  }

  /** The server rolls back what a lost connection left open. */
  #drop(): void {
    const line = this.#line;
    this.#line = undefined;
    this.#transaction = undefined;
    line?.client.end().catch(() => undefined);
  }
}
