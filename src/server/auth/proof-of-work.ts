import { createHmac, hash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { hasEnoughZeroBits, hashInput, proofOfWork } from "../../shared/proof-of-work.ts";
import { isEqualConstantTime } from "./signatures.ts";

/**
 * Tasks that cost a browser a second, and a program a good part of an hour for a thousand accounts
 * (docs/decisions/0013-sign-ups-and-quotas.md). A task carries its signed date; only completed ones are stored, so that each
 * counts once. They end with the process.
 */
export class ProofOfWork {
  readonly #secret = randomBytes(32);
  readonly #redeemed = new LRUCache<string, true>({
    maxSize: 50_000,
    sizeCalculation: () => 1,
    ttl: proofOfWork.takes,
  });

  issue(now = Date.now()): string {
    const signedPart = `${now.toString(36)}.${randomBytes(6).toString("base64url")}`;
    return `${signedPart}.${this.#sign(signedPart)}`;
  }

  /** Returns whether this solves one of our tasks in time, for the first time. */
  redeem(solution: string, now = Date.now()): boolean {
    const [task = "", ...digitGroups] = solution.split(":");
    const [, signedPart = "", at = "", signature = ""] =
      /^(([0-9a-z]{8,9})\.[\w-]{8})\.([\w-]{16})$/.exec(task) ?? [];
    if (
      !isEqualConstantTime(signature, this.#sign(signedPart)) ||
      now - Number.parseInt(at, 36) > proofOfWork.takes
    )
      return false;
    const numbers = digitGroups.map((digits) =>
      /^[0-9a-z]{1,10}$/.test(digits) ? Number.parseInt(digits, 36) : -1,
    );
    const isSolved =
      numbers.length === proofOfWork.pieces &&
      numbers.every((number, piece) =>
        hasEnoughZeroBits(hash("sha256", hashInput(task, piece, number), "buffer")),
      );
    if (!isSolved || this.#redeemed.has(signedPart)) return false;
    this.#redeemed.set(signedPart, true);
    return true;
  }

  #sign(signedPart: string): string {
    return createHmac("sha256", this.#secret).update(signedPart).digest("base64url").slice(0, 16);
  }
}
