import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { oneAtATime } from "../runtime/concurrency.ts";
import type { WriterOptions } from "./writer.ts";

const channel = "reprise_writes";
/** Milliseconds before another try to listen. */
const retryMs = { first: 100, most: 5_000 };

/**
 * Notifies other processes that something was written, and says nothing about it: that is in the event log. A notice may be lost with a
 * connection, so a listener also reads the log once a second.
 */
export class WriteNotices {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #onError: NonNullable<WriterOptions["onError"]>;
  readonly #listeners = new Set<() => void>();
  readonly #ended = new AbortController();
  #listening: Promise<void> | undefined;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(pool: pg.Pool, url: string, onError: NonNullable<WriterOptions["onError"]>) {
    this.#pool = pool;
    this.#url = url;
    this.#onError = onError;
  }

  /**
   * Sends a notice after a commit, one for all commits while the last is sent. Not within the transaction: NOTIFY would hold a lock of
   * the whole server until the commit.
   */
  readonly send = oneAtATime(async () => {
    this.#sending = this.#pool
      .query(`notify ${channel}`)
      .catch((error: unknown) => this.#onError(error, "other processes could not be notified of a write"));
    await this.#sending;
  });

  /** Calls `listener` after writes of all processes, and after a time without a connection. Returns the function that ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#listening ??= this.#keepListening();
    return () => void this.#listeners.delete(listener);
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
        this.#onError(error, "the connection that listens for other processes' writes ended");
      }
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Listens until the connection ends. */
  async #listenOnce(onStart: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "reprise listener",
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    const ended = new Promise<void>((resolve, reject) => {
      client.once("error", reject);
      client.once("end", resolve);
    });
    // Handled below, where it is awaited.
    ended.catch(() => undefined);
    const end = () => void client.end();
    this.#ended.signal.addEventListener("abort", end, { once: true });
    client.on("notification", () => this.#call());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onStart();
      // What was written while nothing listened.
      this.#call();
      await ended;
    } finally {
      this.#ended.signal.removeEventListener("abort", end);
      client.end().catch(() => undefined);
    }
  }

  #call(): void {
    for (const listener of this.#listeners) listener();
  }
}
