import { LRUCache } from "lru-cache";
import { WebSocket } from "ws";
import { limits } from "../../shared/limits.ts";

type Data = Parameters<WebSocket["send"]>[0];

/** What a message holds, or several. */
interface Heard {
  calls: number;
  bytes: number;
}

/** Where an address counts, and for how many addresses. */
export interface Counted {
  key: string;
  times: number;
}

/** Counts what is said within a time that begins with the first message. */
class Count {
  #heard: Heard = { calls: 0, bytes: 0 };
  #end = 0;

  /** Adds a message, and returns whether all of it together is within `most`. */
  add({ calls, bytes }: Heard, most: Heard): boolean {
    const now = Date.now();
    if (now >= this.#end) {
      this.#heard = { calls: 0, bytes: 0 };
      this.#end = now + limits.live.heard.within;
    }
    this.#heard.calls += calls;
    this.#heard.bytes += bytes;
    return this.#heard.calls <= most.calls && this.#heard.bytes <= most.bytes;
  }
}

/** Counts what all sockets of an address say. Where it is not on, an address may say as much as it likes. */
export class AddressCounts {
  readonly #isOn: boolean;
  readonly #counts = new LRUCache<string, Count>({ max: 20_000 });

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** Counts a message wherever its address counts, and returns whether as much may be said in each. */
  allow(ways: readonly Counted[], message: Heard): boolean {
    if (!this.#isOn) return true;
    const { calls, bytes } = limits.live.heard.address;
    return ways.every(({ key, times }) => {
      let count = this.#counts.get(key);
      if (!count) this.#counts.set(key, (count = new Count()));
      return count.add(message, { calls: times * calls, bytes: times * bytes });
    });
  }
}

/**
 * A socket of the server that passes on only messages whose size and number it has checked: nothing parses what it refuses, and
 * the first message that is too much closes it. It also is closed where too much waits to be sent.
 */
export class BoundedSocket extends WebSocket {
  /** Whether its address may say one more message; set when the socket has been let in. */
  allow: ((message: Heard) => boolean) | undefined;
  readonly #count = new Count();
  #isRefused = false;

  override emit(event: string | symbol, ...rest: unknown[]): boolean {
    // A ping is answered by `ws` itself.
    const isHeard = event === "message" || event === "ping" || event === "pong";
    if (isHeard && !this.#mayHear(rest[0])) return false;
    return super.emit(event, ...rest);
  }

  #mayHear(data: unknown): boolean {
    if (this.#isRefused) return false;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0);
    const message = { calls: callsIn(bytes), bytes: bytes.length };
    const { heard } = limits.live;
    const isWithin = message.calls <= heard.message && this.#count.add(message, heard.socket);
    if (isWithin && this.allow?.(message)) return true;
    this.#isRefused = true;
    closeSoon(this, 1008, "too many messages");
    return false;
  }

  /** A reader who does not read is cut: it comes back and resumes where it was. */
  override send(data: Data, ...rest: unknown[]): void {
    if (this.readyState !== this.OPEN) return;
    if (this.bufferedAmount > limits.live.buffered) return this.terminate();
    super.send(data, ...(rest as []));
  }
}

/** How many calls a message may hold at most, without parsing it: each is an object, and so begins with a brace. */
function callsIn(bytes: Buffer): number {
  let calls = 1;
  for (let at = bytes.indexOf("{") + 1; at > 0; at = bytes.indexOf("{", at) + 1) calls++;
  return calls;
}

/** So long the other side has to take leave, in milliseconds. */
export const patience = 300;

/** Closes a socket, and cuts it where the other side does not close it, too. */
export function closeSoon(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), patience).unref();
}
