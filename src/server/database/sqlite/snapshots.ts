import type Sqlite from "better-sqlite3";
import { AppError, shuttingDown } from "../../../shared/errors.ts";
import type { Connection, Drizzle } from "../connection.ts";

export interface Reader {
  sqlite: Sqlite.Database;
  drizzle: Drizzle;
}

interface PooledConnection extends Reader {
  begin: Sqlite.Statement;
  end: Sqlite.Statement;
}

/** Idle connections that stay open. */
const maxIdle = 3;
/** Milliseconds after which a snapshot is logged, and ended: SQLite keeps all writes meanwhile. */
const slowMs = 1_000;
const maxMs = 10_000;

/**
 * Read transactions. Reads that start in one turn of the event loop share one until the next commit; later ones get another. So
 * no reader waits, and each sees its own writes.
 */
export class Snapshots {
  readonly #open: () => Reader;
  readonly #onError: (error: unknown, what: string) => void;
  readonly #idle: PooledConnection[] = [];
  readonly #openSnapshots = new Set<Snapshot>();
  /** The one that new readers join. */
  #newest: Snapshot | undefined;
  #closed = false;

  constructor(open: () => Reader, onError: (error: unknown, what: string) => void = () => undefined) {
    this.#open = open;
    this.#onError = onError;
  }

  async take<T>(work: (read: Connection) => Promise<T>): Promise<T> {
    const snapshot = (this.#newest ??= this.#begin());
    snapshot.readers++;
    try {
      return await work(snapshot);
    } finally {
      if (--snapshot.readers === 0 && snapshot !== this.#newest) this.#end(snapshot);
    }
  }

  /** Takes no more readers: after a commit, which they must see, or when the turn ends. */
  renew(): void {
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest?.readers === 0) this.#end(newest);
  }

  close(): void {
    this.#closed = true;
    for (const snapshot of this.#openSnapshots) this.#end(snapshot);
    for (const { sqlite } of this.#idle.splice(0)) sqlite.close();
  }

  #begin(): Snapshot {
    // Opens all at once: later the process may have no file handles left.
    if (this.#idle.length === 0)
      for (let count = this.#openSnapshots.size; count < maxIdle; count++) this.#idle.push(this.#line());
    const line = this.#idle.pop() ?? this.#line();
    line.begin.run();
    const snapshot = new Snapshot(line);
    this.#openSnapshots.add(snapshot);
    setImmediate(() => {
      if (this.#newest === snapshot) this.renew();
      if (snapshot.line) this.#watch(snapshot);
    });
    return snapshot;
  }

  #line(): PooledConnection {
    if (this.#closed) throw shuttingDown();
    const reader = this.#open();
    // Opens the files and loads the schema.
    reader.sqlite.prepare("select 1 from sqlite_master").get();
    return { ...reader, begin: reader.sqlite.prepare("begin"), end: reader.sqlite.prepare("commit") };
  }

  /** For readers that await between statements. */
  #watch(snapshot: Snapshot): void {
    snapshot.timer = setTimeout(() => {
      this.#onError(
        new Error(`A read transaction has been open for over ${slowMs} ms.`),
        "a read transaction is open for too long",
      );
      snapshot.timer = setTimeout(() => this.#end(snapshot), maxMs - slowMs).unref();
    }, slowMs).unref();
  }

  #end(snapshot: Snapshot): void {
    const { line } = snapshot;
    if (!line) return;
    if (this.#newest === snapshot) this.#newest = undefined;
    clearTimeout(snapshot.timer);
    snapshot.line = undefined;
    this.#openSnapshots.delete(snapshot);
    line.end.run();
    // The last one has a warm cache.
    if (this.#idle.length < maxIdle && !this.#closed) this.#idle.push(line);
    else line.sqlite.close();
  }
}

class Snapshot implements Connection {
  readers = 0;
  timer: NodeJS.Timeout | undefined;
  /** Undefined once it has ended. */
  line: PooledConnection | undefined;

  constructor(line: PooledConnection) {
    this.line = line;
  }

  get hasFailed(): boolean {
    return this.line === undefined;
  }

  get drizzle(): Drizzle {
    if (!this.line)
      throw new AppError("unavailable", "This took too long. Please try again in a moment.", {
        retryAfter: 5,
      });
    return this.line.drizzle;
  }
}
