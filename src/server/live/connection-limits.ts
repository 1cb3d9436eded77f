import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { AddressKey } from "./bounded-socket.ts";

/** A WebSocket's connection, or a response of server-sent events. */
interface Closable {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** The right of one stream to use its connection. */
export interface StreamSlot {
  /** Whether another stream has taken over the connection, or it is closed. */
  readonly ended: boolean;
  /** Called when that happens. */
  onEnd: () => void;
  release(): void;
}

/** Limits the live connections of both transports: of each address, of each account and of the site. */
export class ConnectionLimits {
  readonly #open = new Map<string, number>();
  readonly #startedAt = performance.now();

  /**
   * Counts a connection until it closes; `from` is where its address counts. Throws `too_many` where its address or account
   * has as many as it can have, and `unavailable` where the site has.
   */
  admit(connection: Closable, from: readonly AddressKey[], account: string | undefined): ClientConnection {
    const { connections } = limits.live;
    if (this.count >= connections.all)
      throw new AppError("unavailable", "Too many pages are listening. Please try again in a moment.", {
        retryAfter: 30,
      });
    const keys: [string, number][] = [
      ["all", connections.all],
      ...from.map(
        ({ key, times }) => [`from ${key}`, times * connections.address] satisfies [string, number],
      ),
      ...(account === undefined ? [] : [[`of ${account}`, connections.account] satisfies [string, number]]),
    ];
    if (keys.some(([key, limit]) => (this.#open.get(key) ?? 0) >= limit))
      throw new AppError(
        "too_many",
        "Too many of your pages are open at once. Close some, and this one will continue.",
        { retryAfter: 30 },
      );
    for (const [key] of keys) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    const client = new ClientConnection(() => this.expected);
    const end = () => {
      for (const [key] of keys) this.#release(key);
      client.end();
    };
    if (connection.destroyed) end();
    else connection.once("close", end);
    return client;
  }

  #release(key: string): void {
    const remaining = (this.#open.get(key) ?? 0) - 1;
    if (remaining > 0) this.#open.set(key, remaining);
    else this.#open.delete(key);
  }

  /** The number of open connections, for tests and metrics. */
  get count(): number {
    return this.#open.get("all") ?? 0;
  }

  /** The number of connections there are, or may be soon: after a restart it is unknown how many pages come back. */
  get expected(): number {
    const { within, connections } = limits.live.returning;
    return performance.now() - this.#startedAt < within ? Math.max(connections, this.count) : this.count;
  }
}

/** An admitted connection. It has one stream: each costs memory, and reads from the store at every change of its topics. */
export class ClientConnection {
  readonly #expectedConnections: () => number;
  /** Sends these messages, where the connection is a WebSocket. */
  send: ((messages: Buffer[]) => void) | undefined;
  #stream: (StreamSlot & { end(): void }) | undefined;
  #ended = false;

  constructor(expectedConnections: () => number) {
    this.#expectedConnections = expectedConnections;
  }

  /** See `ConnectionLimits.expected`. */
  get expected(): number {
    return this.#expectedConnections();
  }

  /** Gives the connection to a new stream and ends the one before: the page has left that, though its message may be lost. */
  openSlot(): StreamSlot {
    this.#stream?.end();
    const slot = {
      ended: this.#ended,
      onEnd: () => undefined,
      release: () => {
        if (this.#stream === slot) this.#stream = undefined;
      },
      end: () => {
        slot.ended = true;
        slot.release();
        slot.onEnd();
      },
    };
    if (!this.#ended) this.#stream = slot;
    return slot;
  }

  end(): void {
    this.#ended = true;
    this.#stream?.end();
  }
}
