import { hash, randomBytes } from "node:crypto";
import { hasEnoughZeroBits, hashInput, proofOfWork } from "../../shared/proof-of-work.ts";
import type { Connection } from "../database/connection.ts";
import type { RateLimits } from "./rate-limits.ts";
import { isEqualConstantTime, sign } from "./signatures.ts";

/**
 * Tasks that cost a browser a second, and a program a good part of an hour for a thousand accounts
 * (docs/decisions/0013-sign-ups-and-quotas.md). A task carries its date, signed by the site, so that any of its servers knows it;
 * only completed ones are stored, so that each counts once.
 */
export class ProofOfWork {
  readonly #read: Connection;
  readonly #limits: RateLimits;

  constructor(read: Connection, limits: RateLimits) {
    this.#read = read;
    this.#limits = limits;
  }

  async issue(now = Date.now()): Promise<string> {
    const signedPart = `${now.toString(36)}.${randomBytes(6).toString("base64url")}`;
    return `${signedPart}.${await this.#sign(signedPart)}`;
  }

  /** Returns whether this solves one of our tasks in time, for the first time. */
  async redeem(solution: string, now = Date.now()): Promise<boolean> {
    const [task = "", ...digitGroups] = solution.split(":");
    const [, signedPart = "", at = "", signature = ""] =
      /^(([0-9a-z]{8,9})\.[\w-]{8})\.([\w-]{16})$/.exec(task) ?? [];
    const until = Number.parseInt(at, 36) + proofOfWork.takes;
    if (!isEqualConstantTime(signature, await this.#sign(signedPart)) || now > until) return false;
    const numbers = digitGroups.map((digits) =>
      /^[0-9a-z]{1,10}$/.test(digits) ? Number.parseInt(digits, 36) : -1,
    );
    const isSolved =
      numbers.length === proofOfWork.pieces &&
      numbers.every((number, piece) =>
        hasEnoughZeroBits(hash("sha256", hashInput(task, piece, number), "buffer")),
      );
    return isSolved && (await this.#limits.firstUse(`task ${signedPart}`, until));
  }

  async #sign(signedPart: string): Promise<string> {
    return (await sign(this.#read, `task before a sign-up${this.#limits.scope}`, signedPart)).slice(0, 16);
  }
}
