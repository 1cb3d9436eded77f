import type { LiveEvent, Told } from "../../shared/live.ts";
import type { Connection } from "../api/connection.ts";
import { retryDelay } from "../api/retry-delay.ts";
import type { Asked, Transport, Wire } from "./transport.ts";

export interface LineHandlers {
  onTold(told: { cursor: string; topic: Told["topic"]; event: LiveEvent }): void;
  /** The session is over, or the connection is older than it. */
  onUnauthorized(): void;
}

/** Asking again does not help against these, until something else is asked for. */
const final = new Set(["BAD_REQUEST", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_SUPPORTED"]);

/** Within so many milliseconds a stream says that it has begun. */
const PATIENCE = 5_000;
/** What follows nothing stays open for the next page. */
const KEPT_FOR = 10_000;
/** Where nothing was heard for so long, a sign of life is asked for, */
const QUIET = 10_000;
/** which comes within so many milliseconds, */
const PONG = 3_000;
/** or so many where somebody has just come to look. */
const PONG_SEEN = 1_000;

/**
 * The one stream of a page (docs/decisions/0019): follows what `ask` says for as long as it takes, and after each loss
 * anew from where `ask` says then. Nothing is called live before the stream has said something.
 */
export class LiveLine {
  readonly #open: Transport;
  readonly #connection: Connection;
  #ask: () => Asked | null = () => null;
  #handlers: LineHandlers | undefined;
  #wire: Wire | undefined;
  #failures = 0;
  #restarting = false;
  /** One thing is waited for at a time: a word of the stream, the next attempt, or the end of a line that is not needed. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(open: Transport, connection: Connection) {
    this.#open = open;
    this.#connection = connection;
  }

  get isFollowing(): boolean {
    return this.#handlers !== undefined;
  }

  /** Follows what `ask` says, read anew at each (re)start; null for nothing. */
  follow(ask: () => Asked | null, handlers: LineHandlers): void {
    this.#ask = ask;
    this.#handlers = handlers;
    this.restart();
  }

  /** What is to be followed has changed: the stream begins again, once for all changes of one turn. */
  restart(): void {
    if (this.#restarting) return;
    this.#restarting = true;
    queueMicrotask(() => {
      this.#restarting = false;
      // An attempt that waits for its time asks when it comes.
      if (this.#wire || this.#failures === 0) this.#start();
    });
  }

  stop(): void {
    this.#ask = () => null;
    this.#handlers = undefined;
    this.#drop();
    this.#connection.become("idle");
  }

  /** Begins anew over another connection: that one has the cookie of now. */
  reconnect(): void {
    if (!this.#wire) return;
    this.#drop();
    this.#failures = 0;
    this.#start();
  }

  /** Something says that the next attempt will succeed: it is made now. */
  hurry(): void {
    if (this.#wire || this.#failures === 0) return;
    this.#failures = 0;
    this.#start();
  }

  /** Somebody has come to look: whether the line is alive is known within a second, and another one is opened where not. */
  check(): void {
    if (!this.#wire) return this.hurry();
    this.#listen(PONG_SEEN, () => this.reconnect());
    this.#wire.ping();
  }

  #start(): void {
    clearTimeout(this.#timer);
    const asked = this.#ask();
    if (!asked) {
      this.#wire?.follow(null);
      this.#timer = setTimeout(() => this.#drop(), KEPT_FOR);
      this.#connection.become("idle");
      return;
    }
    if (this.#connection.state !== "live") this.#connection.become("connecting");
    this.#wire ??= this.#opened();
    this.#wire.follow(asked);
    this.#timer = setTimeout(() => this.#lose(), PATIENCE);
  }

  #opened(): Wire {
    const wire: Wire = this.#open({
      onTold: (cursor, told) => {
        this.#heard();
        this.#failures = 0;
        clearTimeout(this.#timer);
        this.#connection.become("live");
        this.#handlers?.onTold({ cursor, ...told });
      },
      onAlive: () => this.#heard(),
      onRefused: (code, retryAfter) => {
        clearTimeout(this.#timer);
        if (!final.has(code ?? "")) this.#again(retryAfter);
        if (code === "UNAUTHORIZED") this.#handlers?.onUnauthorized();
      },
      onLost: (ended) => {
        this.#lose();
        if (ended) this.#handlers?.onUnauthorized();
      },
    });
    return wire;
  }

  #heard(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#listen(PONG, () => this.#lose());
      this.#wire?.ping();
    }, QUIET);
  }

  /** Unless something is heard within `ms` the wire is dead. */
  #listen(ms: number, whenDead: () => void): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(whenDead, ms);
  }

  #lose(): void {
    this.#drop();
    if (!this.#ask()) return this.#connection.become("idle");
    this.#connection.become("connecting");
    this.#again();
  }

  #again(seconds = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), Math.max(seconds * 1_000, retryDelay(this.#failures++)));
  }

  #drop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#quiet);
    this.#wire?.close();
    this.#wire = undefined;
  }
}
