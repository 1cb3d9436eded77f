import { LRUCache } from "lru-cache";
import { WebSocket } from "ws";
import { limits } from "../../shared/limits.ts";

type Data = Parameters<WebSocket["send"]>[0];

/** What a message holds, or several. */
interface MessageSize {
  calls: number;
  bytes: number;
}

/** Where an address counts, and for how many addresses. */
export interface AddressKey {
  key: string;
  times: number;
}

/** Counts what is said within a time that begins with the first message. */
class MessageCount {
  #total: MessageSize = { calls: 0, bytes: 0 };
  #end = 0;

  /** Adds a message, and returns whether the total is within `limit`. */
  add({ calls, bytes }: MessageSize, limit: MessageSize): boolean {
    const now = Date.now();
    if (now >= this.#end) {
      this.#total = { calls: 0, bytes: 0 };
      this.#end = now + limits.live.clientMessages.within;
    }
    this.#total.calls += calls;
    this.#total.bytes += bytes;
    return this.#total.calls <= limit.calls && this.#total.bytes <= limit.bytes;
  }
}

/** Counts what all sockets of an address say. Where it is not on, an address may say as much as it likes. */
export class AddressCounts {
  readonly #isOn: boolean;
  readonly #counts = new LRUCache<string, MessageCount>({ max: 20_000 });

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** Counts a message wherever its address counts, and returns whether as much may be said in each. */
  allow(keys: readonly AddressKey[], message: MessageSize): boolean {
    if (!this.#isOn) return true;
    const { calls, bytes } = limits.live.clientMessages.address;
    return keys.every(({ key, times }) => {
      let count = this.#counts.get(key);
      if (!count) this.#counts.set(key, (count = new MessageCount()));
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
  allow: ((message: MessageSize) => boolean) | undefined;
  readonly #count = new MessageCount();
  #isRejected = false;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    // A ping is answered by `ws` itself.
    const isCounted = event === "message" || event === "ping" || event === "pong";
    if (isCounted && !this.#acceptMessage(args[0])) return false;
    return super.emit(event, ...args);
  }

  #acceptMessage(data: unknown): boolean {
    if (this.#isRejected) return false;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0);
    const message = { calls: callsIn(bytes), bytes: bytes.length };
    const { clientMessages } = limits.live;
    const isWithinLimits =
      message.calls <= clientMessages.message && this.#count.add(message, clientMessages.socket);
    if (isWithinLimits && this.allow?.(message)) return true;
    this.#isRejected = true;
    closeSoon(this, 1008, "too many messages");
    return false;
  }

  /** A reader who does not read is cut: it comes back and resumes where it was. */
  override send(data: Data, ...args: unknown[]): void {
    if (this.readyState !== this.OPEN) return;
    if (this.bufferedAmount > limits.live.buffered) return this.terminate();
    super.send(data, ...(args as []));
  }
}

/** How many calls a message may hold at most, without parsing it: each is an object, and so begins with a brace. */
function callsIn(bytes: Buffer): number {
  let calls = 1;
  for (let at = bytes.indexOf("{") + 1; at > 0; at = bytes.indexOf("{", at) + 1) calls++;
  return calls;
}

/** So long the other side has to take leave, in milliseconds. */
export const closeTimeoutMs = 300;

/** Closes a socket, and cuts it where the other side does not close it, too. */
export function closeSoon(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
}
