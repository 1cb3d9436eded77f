import { isIPv6 } from "node:net";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "../../shared/errors.ts";

/** How often each thing may be done: `points` in `seconds`, for each key (an account, an address). */
const rules = {
  /** Tries for one e-mail address. */
  signInAccount: { points: 10, duration: 600 },
  signInAddress: { points: 50, duration: 600 },
  signUp: { points: 20, duration: 3600 },
  mail: { points: 5, duration: 3600 },
  write: { points: 240, duration: 60 },
  /** Publishing, hiding, going private: each may have many people to tell. */
  visibility: { points: 60, duration: 600 },
  upload: { points: 120, duration: 3600 },
  comment: { points: 30, duration: 60 },
  read: { points: 3_000, duration: 60 },
  socket: { points: 120, duration: 60 },
} as const;

export type RateRule = keyof typeof rules;

/** Counts in memory: one process serves a site. Switched off, everything passes. */
export class RateLimits {
  readonly #limiters: Map<RateRule, RateLimiterMemory>;
  readonly #on: boolean;

  constructor(on: boolean) {
    this.#on = on;
    this.#limiters = new Map(
      Object.entries(rules).map(([name, rule]) => [
        name as RateRule,
        new RateLimiterMemory({ keyPrefix: name, ...rule }),
      ]),
    );
  }

  /** Counts one, or `cost` for what costs as much as so many. Throws `too_many` with the seconds to wait. */
  async take(rule: RateRule, key: string, cost = 1): Promise<void> {
    if (!this.#on) return;
    try {
      await this.#limiters.get(rule)?.consume(countedAs(key), cost);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
      throw new AppError("too_many", `That was too often. Please try again in ${wait}.`, {
        retryAfter: seconds,
      });
    }
  }

  /** Gives back one that was counted for what did not come to pass. */
  async giveBack(rule: RateRule, key: string): Promise<void> {
    const counted = countedAs(key);
    const limiter = this.#limiters.get(rule);
    if (((await limiter?.get(counted))?.consumedPoints ?? 0) > 0) await limiter?.reward(counted);
  }

  /** Forgets what was counted, after a success that shows the person is who they say. */
  async forgive(rule: RateRule, key: string): Promise<void> {
    await this.#limiters.get(rule)?.delete(countedAs(key));
  }
}

/** Of an IPv6 address its network: every household has 2⁶⁴ addresses of its own to go on with. */
export function countedAs(key: string): string {
  if (!isIPv6(key)) return key;
  const mapped = /^::ffff:([\d.]+)$/i.exec(key)?.[1];
  if (mapped) return mapped;
  const [before = [], after] = key.split("::").map((part) => part.split(":").filter(Boolean));
  const between = after ? Array.from({ length: 8 - before.length - after.length }, () => "0") : [];
  return [...before, ...between, ...(after ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
