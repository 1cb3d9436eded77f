import type Sqlite from "better-sqlite3";
import { AppError, closing } from "../../shared/errors.ts";
import type { Connection, Drizzle } from "./connection.ts";

/** A read-only connection of its own. */
export interface Reader {
  sqlite: Sqlite.Database;
  drizzle: Drizzle;
}

interface Line extends Reader {
  begin: Sqlite.Statement;
  end: Sqlite.Statement;
}

/** Connections that stay open where nobody reads. */
const kept = 3;
/** Milliseconds: what is held longer is told of, and what is held so much longer is ended, since SQLite keeps all that was written meanwhile. */
const long = 1_000;
const longest = 10_000;

/**
 * Readings that hold still: what is read in one snapshot stands as it stood together. Who begins to read in the same turn of
 * the event loop shares one, also one after the other, as long as nothing was committed in between; whoever comes later has
 * another, on another connection where one is still held. So nobody waits for anybody, and one's own writes are always there.
 */
export class Snapshots {
  readonly #open: () => Reader;
  readonly #onError: (error: unknown, what: string) => void;
  readonly #idle: Line[] = [];
  readonly #held = new Set<Snapshot>();
  /** The one that takes newcomers. */
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

  /** Takes no newcomers from now on: something was committed, which they are to see, or the turn is over. */
  renew(): void {
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest?.readers === 0) this.#end(newest);
  }

  close(): void {
    this.#closed = true;
    for (const snapshot of this.#held) this.#end(snapshot);
    for (const { sqlite } of this.#idle.splice(0)) sqlite.close();
  }

  #begin(): Snapshot {
    // All that are kept at once: where the process can open no more files there are enough.
    if (this.#idle.length === 0)
      for (let count = this.#held.size; count < kept; count++) this.#idle.push(this.#line());
    const line = this.#idle.pop() ?? this.#line();
    line.begin.run();
    const snapshot = new Snapshot(line);
    this.#held.add(snapshot);
    setImmediate(() => {
      if (this.#newest === snapshot) this.renew();
      if (snapshot.line) this.#watch(snapshot);
    });
    return snapshot;
  }

  #line(): Line {
    if (this.#closed) throw closing();
    const reader = this.#open();
    // Reads once: what it needs is open from here on, and the schema is known.
    reader.sqlite.prepare("select 1 from sqlite_master").get();
    return { ...reader, begin: reader.sqlite.prepare("begin"), end: reader.sqlite.prepare("commit") };
  }

  /** For what waits between its statements: most is over in the turn in which it began. */
  #watch(snapshot: Snapshot): void {
    snapshot.timer = setTimeout(() => {
      this.#onError(new Error(`A snapshot is held for over ${long} ms.`), "a call reads for long");
      snapshot.timer = setTimeout(() => this.#end(snapshot), longest - long).unref();
    }, long).unref();
  }

  #end(snapshot: Snapshot): void {
    const { line } = snapshot;
    if (!line) return;
    if (this.#newest === snapshot) this.#newest = undefined;
    clearTimeout(snapshot.timer);
    snapshot.line = undefined;
    this.#held.delete(snapshot);
    line.end.run();
    // The last one used comes first: what it has read is still in its memory.
    if (this.#idle.length < kept && !this.#closed) this.#idle.push(line);
    else line.sqlite.close();
  }
}

class Snapshot implements Connection {
  readers = 0;
  timer: NodeJS.Timeout | undefined;
  /** Until it has ended. */
  line: Line | undefined;

  constructor(line: Line) {
    this.line = line;
  }

  get drizzle(): Drizzle {
    if (!this.line)
      throw new AppError("unavailable", "This took too long. Please try again in a moment.", {
        retryAfter: 5,
      });
    return this.line.drizzle;
  }
}
