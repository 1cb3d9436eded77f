import pg from "pg";
import { shuttingDown } from "../../../shared/errors.ts";
import type { Connection, Database, Drizzle } from "../connection.ts";
import { PostgresNotices } from "./notices.ts";
import { openPostgresDrizzle } from "./drizzle.ts";
import { connectionSettings } from "./settings.ts";
import { asStoreError } from "../errors.ts";
import { PostgresWriteConnection } from "./writer.ts";
import { Writer, type WriterOptions } from "../writer.ts";

/** The most connections for single reads, and for snapshots: a snapshot may wait for a single read, which waits for nothing. */
const most = { reads: 5, snapshots: 8, counts: 3 };
const limits = { lockTimeoutMs: 1_000, statementTimeoutMs: 30_000, idleTransactionTimeoutMs: 10_000 };

/** Milliseconds for a count, whose connections are its own: a flood of attempts takes none from readers. */
const countLimits = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

/** Opens a migrated database of a PostgreSQL server. */
export async function openPostgres(
  url: string,
  signal: WriterOptions["signal"],
  options: Omit<WriterOptions, "signal"> = {},
): Promise<Database> {
  const { onError = () => undefined } = options;
  const pool = openPool(url, most.reads, onError);
  const snapshotPool = openPool(url, most.snapshots, onError);
  const countPool = openPool(url, most.counts, onError, countLimits);
  const read: Connection = { drizzle: openPostgresDrizzle(pool) };
  const drizzles = new WeakMap<pg.PoolClient, Drizzle>();
  /** Connections on which a statement of the current snapshot has failed. */
  const failed = new WeakSet<pg.PoolClient>();
  const notices = new PostgresNotices(url, onError);
  const signalAfter: WriterOptions["signal"] = (topics) => {
    notices.sendWritten();
    signal(topics);
  };
  const writer = new Writer((check) => new PostgresWriteConnection(url, check, onError), {
    ...options,
    signal: signalAfter,
    storesSignals: true,
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await writer.close();
    await notices.close();
    await Promise.all([pool.end(), snapshotPool.end(), countPool.end()]);
  };
  return {
    read,
    latest: read,
    file: "",
    sizes: async () => {
      const { rows } = await pool.query<{ bytes: number }>(
        "select pg_database_size(current_database()) as bytes",
      );
      return { store: rows[0]?.bytes ?? 0 };
    },
    isOwn: (seq) => writer.isOwn(seq),
    forgetOwn: (seqs) => writer.forgetOwn(seqs),
    servers: notices,
    counts: {
      query: (statement) =>
        countPool.query(statement).catch((error: unknown) => {
          onError(error, "PostgreSQL did not count: this server counts for itself");
          throw asStoreError(error);
        }),
    },
    snapshot: async (work) => {
      if (closing) throw shuttingDown();
      const client = await snapshotPool.connect().catch((error: unknown) => {
        throw asStoreError(error);
      });
      let drizzle = drizzles.get(client);
      if (!drizzle) {
        drizzle = openPostgresDrizzle(client, { onFailure: () => failed.add(client) });
        drizzles.set(client, drizzle);
      }
      failed.delete(client);
      const snapshot: Connection = {
        drizzle,
        get hasFailed() {
          return failed.has(client);
        },
      };
      let failure: Error | undefined;
      try {
        // Sent with the first query of `work`, which fails if this does.
        const begun = client.query("begin isolation level repeatable read read only");
        begun.catch(() => undefined);
        const result = await work(snapshot);
        await begun;
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
    close: () => (closing ??= close()),
  };
}

function openPool(
  url: string,
  max: number,
  onError: NonNullable<WriterOptions["onError"]>,
  ownLimits: pg.PoolConfig = {},
): pg.Pool {
  const pool = new pg.Pool({ ...connectionSettings(url, limits), max, ...ownLimits });
  // An idle connection that ends is replaced at the next query.
  pool.on("error", (error) => onError(error, "a connection to PostgreSQL ended"));
  // Of one in use, such as a snapshot whose time is up, the pool says nothing; its next query fails. Without a listener the process ends.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
