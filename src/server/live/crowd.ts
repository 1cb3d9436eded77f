import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Counted } from "./bounded-socket.ts";

/** What a page listens through, as far as its end goes: a connection, or an answer that goes on. */
interface Line {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** A stream's place on its line. */
export interface Place {
  /** Another stream has taken it, or the line is gone. */
  readonly ended: boolean;
  /** Called when that happens. */
  onEnd: () => void;
  leave(): void;
}

/** Counts what listens, over both transports: for each address, each account, and in all. */
export class Crowd {
  readonly #open = new Map<string, number>();
  readonly #began = performance.now();

  /**
   * Lets a line in until it closes; `from` is where its address counts. Throws `too_many` where its address or account has
   * as many as there may be, and `unavailable` where the site has.
   */
  enter(line: Line, from: readonly Counted[], account: string | undefined): OpenLine {
    const { lines } = limits.live;
    if (this.lines >= lines.all)
      throw new AppError("unavailable", "Too many pages are listening. Please try again in a moment.", {
        retryAfter: 30,
      });
    const keys: [string, number][] = [
      ["lines", lines.all],
      ...from.map(({ key, times }) => [`from ${key}`, times * lines.address] satisfies [string, number]),
      ...(account === undefined ? [] : [[`of ${account}`, lines.account] satisfies [string, number]]),
    ];
    if (keys.some(([key, most]) => (this.#open.get(key) ?? 0) >= most))
      throw new AppError(
        "too_many",
        "Too many of your pages are open at once. Close some, and this one will continue.",
        { retryAfter: 30 },
      );
    for (const [key] of keys) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    const own = new OpenLine(() => this.expected);
    const end = () => {
      for (const [key] of keys) this.#leave(key);
      own.end();
    };
    if (line.destroyed) end();
    else line.once("close", end);
    return own;
  }

  #leave(key: string): void {
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }

  /** How many lines there are, for tests and metrics. */
  get lines(): number {
    return this.#open.get("lines") ?? 0;
  }

  /** How many lines there are, or may be soon: who has just begun does not know yet how many come back. */
  get expected(): number {
    const { within, lines } = limits.live.returning;
    return performance.now() - this.#began < within ? Math.max(lines, this.lines) : this.lines;
  }
}

/** A line that was let in. It has one stream: each costs memory and, for every change of its topics, a look at the store. */
export class OpenLine {
  readonly #expected: () => number;
  /** Where it is a WebSocket: sends these messages over it. */
  send: ((messages: Buffer[]) => void) | undefined;
  #stream: (Place & { end(): void }) | undefined;
  #ended = false;

  constructor(expected: () => number) {
    this.#expected = expected;
  }

  /** See `Crowd.expected`. */
  get expected(): number {
    return this.#expected();
  }

  /** A place for a stream, in that of the one there was: the page has left it, though the word of it may have been lost on the way. */
  open(): Place {
    this.#stream?.end();
    const place = {
      ended: this.#ended,
      onEnd: () => undefined,
      leave: () => {
        if (this.#stream === place) this.#stream = undefined;
      },
      end: () => {
        place.ended = true;
        place.leave();
        place.onEnd();
      },
    };
    if (!this.#ended) this.#stream = place;
    return place;
  }

  end(): void {
    this.#ended = true;
    this.#stream?.end();
  }
}
