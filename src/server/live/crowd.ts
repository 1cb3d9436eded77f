import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

/** What a page listens through, as far as its end goes: a connection, or an answer that goes on. */
interface Line {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** A stream's place on its line. */
export interface Place {
  /** Another stream of the same topic has taken it, or the line is gone. */
  readonly ended: boolean;
  /** Called when that happens. */
  onEnd: () => void;
  leave(): void;
}

/** Counts what listens, over both transports: for each address, each account, and in all. */
export class Crowd {
  readonly #open = new Map<string, number>();

  /**
   * Lets a line in until it closes; `from` is whom its address counts for. Throws `too_many` where its address or account has as many as there may be, and
   * `unavailable` where the site has.
   */
  enter(line: Line, from: string, account: string | undefined): Streams {
    const { lines, streams } = limits.live;
    const keys = (what: string, most: { address: number; account: number }): [string, number][] => [
      [`${what} from ${from}`, most.address],
      ...(account === undefined ? [] : [[`${what} of ${account}`, most.account] satisfies [string, number]]),
    ];
    if ((this.#open.get("lines") ?? 0) >= lines.all)
      throw new AppError("unavailable", "Too many pages are listening. Please try again in a moment.", {
        retryAfter: 30,
      });
    const leave = this.#take([["lines", lines.all], ...keys("lines", lines)]);
    const own = new Streams(
      () => this.#take(keys("streams", streams)),
      () => this.lines,
    );
    const end = () => {
      leave();
      own.end();
    };
    if (line.destroyed) end();
    else line.once("close", end);
    return own;
  }

  #take(keys: [key: string, most: number][]): () => void {
    if (keys.some(([key, most]) => (this.#open.get(key) ?? 0) >= most))
      throw new AppError(
        "too_many",
        "Too many of your pages are open at once. Please close some; this one goes on by itself then.",
        { retryAfter: 30 },
      );
    for (const [key] of keys) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return () => {
      for (const [key] of keys) {
        const left = (this.#open.get(key) ?? 0) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
  }

  /** How many lines there are, for tests and metrics. */
  get lines(): number {
    return this.#open.get("lines") ?? 0;
  }
}

/** The streams of one line: each costs memory and, for every change of its topic, a look at the store; so there is one for a topic. */
export class Streams {
  readonly #take: () => () => void;
  readonly #places = new Map<string, Place & { end(): void }>();
  readonly #lines: () => number;
  #ended = false;

  constructor(take: () => () => void, lines: () => number) {
    this.#take = take;
    this.#lines = lines;
  }

  /** How many lines there are in all. */
  get lines(): number {
    return this.#lines();
  }

  /**
   * A place for a stream of this topic, in place of the one there was: the page has left that one, though the word of it
   * may have been lost on the way. Throws `too_many` where there are as many as there may be.
   */
  open(topic: string): Place {
    this.#places.get(topic)?.end();
    if (this.#places.size >= limits.live.streams.line)
      throw new AppError("too_many", "This page listens to too much at once. Please load it again.");
    const free = this.#take();
    const place = {
      ended: this.#ended,
      onEnd: () => undefined,
      leave: () => {
        if (this.#places.get(topic) !== place) return;
        this.#places.delete(topic);
        free();
      },
      end: () => {
        place.ended = true;
        place.leave();
        place.onEnd();
      },
    };
    if (this.#ended) free();
    else this.#places.set(topic, place);
    return place;
  }

  end(): void {
    this.#ended = true;
    for (const place of this.#places.values()) place.end();
  }
}
