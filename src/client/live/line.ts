import type { LiveEvent, LiveMessage } from "../../shared/live.ts";
import type { Connection } from "../api/connection.ts";
import { retryDelay } from "../api/retry.ts";
import type { Asked, Transport, Wire } from "./transport.ts";

export interface LineHandlers {
  onTold(told: { cursor: string; topic: LiveMessage["topic"]; event: LiveEvent }): void;
  /** The session is over, or the connection is older than it. */
  onUnauthorized(): void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** Asking again does not help against these, until something else is asked for. */
const final = new Set(["BAD_REQUEST", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_SUPPORTED"]);

/** So many milliseconds for a word of a stream that begins: with what is asked after it, another way is found within five seconds. */
const PATIENCE = 4_500;
/** What follows nothing stays open for the next page. */
const KEPT_FOR = 10_000;
/** Where nothing was heard for so long, a sign of life is asked for, */
const QUIET = 10_000;
/** which comes within so many milliseconds, */
const PONG = 3_000;
/** or so many where somebody has just come to look. */
const PONG_SEEN = 1_000;
/** A better way is tried again after so long, doubled each time. */
const BETTER = { first: 30_000, most: 300_000 };

/** Which way worked. */
interface Memory {
  get(): number;
  set(way: number): void;
}

const REMEMBERED = "line";
/** A browser may keep nothing, and says so by throwing. */
const ofTheSession: Memory = {
  get() {
    try {
      return Number(sessionStorage.getItem(REMEMBERED)) || 0;
    } catch {
      return 0;
    }
  },
  set(way) {
    try {
      sessionStorage.setItem(REMEMBERED, String(way));
    } catch {}
  },
};

/**
 * The one stream of a page (docs/decisions/0019): follows what `ask` says for as long as it takes, and after each loss
 * anew from where `ask` says then. Nothing is called live before the stream has said something. Where nothing comes by the
 * best way though the site answers, the next one is taken; what worked is remembered, and the better ones tried again.
 */
export class LiveLine {
  readonly #ways: Transport[];
  readonly #connection: Connection;
  readonly #memory: Memory;
  #way: number;
  #ask: () => Asked | null = () => null;
  #handlers: LineHandlers | undefined;
  #wire: Wire | undefined;
  /** By a better way, and not known to work. */
  #trial: Wire | undefined;
  /** Whether anything at all has come over the wire. */
  #isHeard = false;
  #failures = 0;
  #isRestarting = false;
  #isChecking = false;
  #betterIn = BETTER.first;
  /** For a stream to begin. */
  #patience: Timer;
  /** Until the next attempt, or the end of a line that is not needed. */
  #pause: Timer;
  #quiet: Timer;
  #better: Timer;

  /** `ways` from the best to the worst. */
  constructor(ways: Transport[], connection: Connection, memory = ofTheSession) {
    this.#ways = ways;
    this.#connection = connection;
    this.#memory = memory;
    this.#way = Math.min(memory.get(), ways.length - 1);
  }

  /** Follows what `ask` says, read anew at each (re)start; null for nothing. */
  follow(ask: () => Asked | null, handlers: LineHandlers): void {
    this.#ask = ask;
    this.#handlers = handlers;
    this.restart();
  }

  /** What is to be followed has changed: the stream begins again, once for all changes of one turn. */
  restart(): void {
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    queueMicrotask(() => {
      this.#isRestarting = false;
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
    if (this.#isChecking) return;
    this.#listen(PONG_SEEN, () => this.reconnect());
    this.#isChecking = true;
    if (this.#wire.ping) this.#wire.ping();
    else this.#wire.follow(this.#ask());
  }

  /** Better ways may be open now. */
  tryBetter(): void {
    this.#try(0);
  }

  #start(): void {
    clearTimeout(this.#pause);
    clearTimeout(this.#patience);
    const asked = this.#ask();
    this.#trial?.follow(asked);
    if (!asked) {
      this.#wire?.follow(null);
      this.#pause = setTimeout(() => this.#drop(), KEPT_FOR);
      this.#connection.become("idle");
      return;
    }
    if (this.#connection.state !== "live") this.#connection.become("connecting");
    this.#wire ??= this.#opened(this.#way);
    this.#wire.follow(asked);
    this.#patience = setTimeout(() => this.#lose(true), PATIENCE);
  }

  #opened(way: number): Wire {
    const wire: Wire = this.#ways[way]!({
      onTold: (cursor, told) => {
        if (wire === this.#trial) this.#adopt(way);
        this.#hear();
        this.#failures = 0;
        this.#connection.become("live");
        this.#handlers?.onTold({ cursor, ...told });
      },
      onAlive: () => wire === this.#wire && this.#hear(),
      onRefused: (code, retryAfter) => {
        if (wire !== this.#wire) return this.#try(way + 1);
        this.#hear();
        if (!final.has(code ?? "")) this.#again(retryAfter);
        if (code === "UNAUTHORIZED") this.#handlers?.onUnauthorized();
      },
      onLost: (ended) => {
        if (wire !== this.#wire) return this.#try(way + 1);
        this.#lose();
        if (ended) this.#handlers?.onUnauthorized();
      },
    });
    return wire;
  }

  #hear(): void {
    if (!this.#isHeard) this.#remember();
    this.#isHeard = true;
    this.#isChecking = false;
    clearTimeout(this.#patience);
    clearTimeout(this.#quiet);
    if (!this.#wire?.ping) return;
    this.#quiet = setTimeout(() => {
      this.#listen(PONG, () => this.#lose());
      this.#wire?.ping?.();
    }, QUIET);
  }

  /** Unless something is heard within `ms` the wire is dead. */
  #listen(ms: number, whenDead: () => void): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(whenDead, ms);
  }

  /** `isSilent`: nobody says that it is gone, but nothing has come. */
  #lose(isSilent = false): void {
    const isBlocked = !this.#isHeard && (isSilent || this.#failures > 0);
    this.#drop();
    if (!this.#ask()) return this.#connection.become("idle");
    this.#connection.become("connecting");
    if (isBlocked) void this.#goOn();
    else this.#again();
  }

  /** By the next way, where the site answers; otherwise the way is not to blame. */
  async #goOn(): Promise<void> {
    const answers = await this.#connection.answers();
    if (this.#wire || !this.#ask()) return;
    if (answers) this.#way = (this.#way + 1) % this.#ways.length;
    if (answers && this.#way > 0) this.#start();
    else this.#again();
  }

  #again(seconds = 0): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#start(), Math.max(seconds * 1_000, retryDelay(this.#failures++)));
  }

  #remember(): void {
    this.#memory.set(this.#way);
    if (this.#way > 0) this.#tryIn(this.#betterIn);
  }

  #tryIn(ms: number): void {
    clearTimeout(this.#better);
    this.#better = setTimeout(() => this.#try(0), ms);
  }

  /** Tries a better transport beside the stream in use, which goes on meanwhile. */
  #try(way: number): void {
    clearTimeout(this.#better);
    this.#trial?.close();
    this.#trial = undefined;
    const asked = this.#ask();
    if (this.#way === 0 || !this.#wire || !asked) return;
    if (way >= this.#way) {
      this.#betterIn = Math.min(BETTER.most, this.#betterIn * 2);
      return this.#tryIn(this.#betterIn);
    }
    this.#trial = this.#opened(way);
    this.#trial.follow(asked);
    this.#better = setTimeout(() => this.#try(way + 1), PATIENCE);
  }

  #adopt(way: number): void {
    const wire = this.#trial!;
    this.#trial = undefined;
    this.#drop();
    this.#wire = wire;
    this.#way = way;
  }

  #drop(): void {
    for (const timer of [this.#patience, this.#pause, this.#quiet, this.#better]) clearTimeout(timer);
    this.#trial?.close();
    this.#wire?.close();
    this.#wire = this.#trial = undefined;
    this.#isHeard = this.#isChecking = false;
  }
}
