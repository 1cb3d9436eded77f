import { createHmac, hash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { isFound, pieceOf, work } from "../../shared/work.ts";
import { isSame } from "./signatures.ts";

/**
 * Tasks that cost a browser a second of its time, and a program that wants a thousand accounts a good part of an hour
 * (docs/decisions/0032). A task is its own proof of when it was given, and kept only once it was done: it counts once. They end with the process.
 */
export class Tasks {
  readonly #secret = randomBytes(32);
  readonly #done = new LRUCache<string, true>({ maxSize: 50_000, sizeCalculation: () => 1, ttl: work.takes });

  /** A task for whoever asks. */
  give(now = Date.now()): string {
    const given = `${now.toString(36)}.${randomBytes(6).toString("base64url")}`;
    return `${given}.${this.#mark(given)}`;
  }

  /** Whether this is a task of ours with all that was to be found, given not long ago and for the first time. */
  take(done: string, now = Date.now()): boolean {
    const [task = "", ...found] = done.split(":");
    const [, given = "", at = "", mark = ""] = /^(([0-9a-z]{8,9})\.[\w-]{8})\.([\w-]{16})$/.exec(task) ?? [];
    if (!isSame(mark, this.#mark(given)) || now - Number.parseInt(at, 36) > work.takes) return false;
    const numbers = found.map((digits) =>
      /^[0-9a-z]{1,10}$/.test(digits) ? Number.parseInt(digits, 36) : -1,
    );
    const isDone =
      numbers.length === work.pieces &&
      numbers.every((number, piece) => isFound(hash("sha256", pieceOf(task, piece, number), "buffer")));
    if (!isDone || this.#done.has(given)) return false;
    this.#done.set(given, true);
    return true;
  }

  #mark(given: string): string {
    return createHmac("sha256", this.#secret).update(given).digest("base64url").slice(0, 16);
  }
}
