import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { oneAtATime } from "../../runtime/concurrency.ts";
import type { ServerConnection, ServerListener } from "../connection.ts";
import type { WriterOptions } from "../writer.ts";

const [writes, messages] = ["reprise_writes", "reprise_messages"];
/** The name of the connection of each server that runs. */
export const listenerName = "reprise listener";
/** Milliseconds before another try to listen. */
const retryMs = { first: 100, most: 5_000 };
/** Milliseconds between checks of the connection: one that is cut off looks like one on which nothing happens. */
const checkMs = 5_000;

/**
 * What the servers of a site send each other through PostgreSQL, which stores none of it. A notice of a write says nothing about it: that
 * is in the event log. It may be lost with a connection, so a listener also reads the log once a second.
 */
export class PostgresNotices implements ServerConnection {
  readonly #url: string;
  readonly #onError: NonNullable<WriterOptions["onError"]>;
  readonly #listeners = new Set<ServerListener>();
  readonly #ended = new AbortController();
  #listening: Promise<void> | undefined;
  /** While it listens. */
  #client: pg.Client | undefined;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(url: string, onError: NonNullable<WriterOptions["onError"]>) {
    this.#url = url;
    this.#onError = onError;
  }

  /**
   * Sends a notice after a commit, one for all commits while the last is sent; none while it cannot. Not within the transaction: NOTIFY
   * would hold a lock of the whole server until the commit.
   */
  readonly sendWritten = oneAtATime(async () => {
    this.#connect();
    this.#sending = (this.#client?.query(`notify ${writes}`) ?? Promise.resolve()).catch((error: unknown) =>
      this.#onError(error, "other processes could not be notified of a write"),
    );
    await this.#sending;
  });

  async send(text: string): Promise<void> {
    if (!this.#client) throw new Error("PostgreSQL is not connected.");
    await this.#client.query("select pg_notify($1, $2)", [messages, text]);
  }

  listen(listener: ServerListener): () => void {
    this.#listeners.add(listener);
    this.#connect();
    return () => void this.#listeners.delete(listener);
  }

  #connect(): void {
    this.#listening ??= this.#keepListening();
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#listening;
    for (let last; last !== this.#sending;) await (last = this.#sending);
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#ended;
    for (let waitMs = retryMs.first; !signal.aborted; waitMs = Math.min(2 * waitMs, retryMs.most)) {
      try {
        await this.#listenOnce(() => (waitMs = retryMs.first));
      } catch (error) {
        this.#onError(error, "the connection that listens to other servers ended");
      }
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Listens until the connection ends. */
  async #listenOnce(onStart: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: listenerName,
      keepAlive: true,
      pipeline: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: checkMs,
    });
    const stop = new AbortController();
    const ended = new Promise<void>((resolve, reject) => {
      client.on("error", reject).once("end", resolve);
      stop.signal.addEventListener("abort", () => reject(stop.signal.reason as Error));
      this.#ended.signal.addEventListener("abort", () => resolve(), { signal: stop.signal });
    });
    // Handled below, where it is awaited.
    ended.catch(() => undefined);
    client.on("notification", ({ channel, payload = "", processId }) => {
      // What it sent itself, this process knows.
      if (processId === ownId) return;
      for (const { onWritten, onMessage } of this.#listeners)
        if (channel === writes) onWritten?.();
        else onMessage?.(payload);
    });
    let ownId: number | undefined;
    let checks: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      const { rows } = await client.query<{ id: number }>("select pg_backend_pid() as id");
      ownId = rows[0]?.id;
      await client.query(`listen ${writes}; listen ${messages}`);
      this.#client = client;
      onStart();
      for (const { onConnect } of this.#listeners) onConnect();
      checks = setInterval(() => void client.query("select 1").catch((error) => stop.abort(error)), checkMs);
      await ended;
    } finally {
      clearInterval(checks);
      if (this.#client === client) this.#client = undefined;
      stop.abort();
      client.end().catch(() => undefined);
    }
  }
}
