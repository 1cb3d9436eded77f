import { isIPv6 } from "node:net";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "../../shared/errors.ts";
import { groupsOf, plainAddress } from "./plain-address.ts";

/** How often each thing may be done at a stretch: `points` in `seconds`, for each key (an account, an address). `users/quotas.ts` has the days. */
const rules = {
  signInAddress: { points: 50, duration: 600 },
  /** From one address for one account. There is none for an account alone: strangers would lock its owner out with it. */
  signInPair: { points: 10, duration: 600 },
  /** Of a browser that signed in to the account before, or whoever has just chosen its password anew. */
  signInKnown: { points: 20, duration: 600 },
  /** The password of whoever is signed in already, asked for again. */
  ownPassword: { points: 10, duration: 600 },
  /** Changes of how one signs in: each sends a mail. */
  access: { points: 20, duration: 3600 },
  /** Codes of the second step, after the right password: of all browsers that are not known to the account, and of one that is. */
  code: { points: 5, duration: 900 },
  codeKnown: { points: 20, duration: 900 },
  /** Sign-ins by passkey from one address, which nobody guesses. */
  passkey: { points: 60, duration: 600 },
  /** Links of mails that open nothing. */
  wrongLink: { points: 50, duration: 600 },
  forgotPassword: { points: 20, duration: 3600 },
  resendVerification: { points: 20, duration: 3600 },
  /** Mails of one kind to one mailbox: asked for from one address, so that no stranger uses up the rest; and in all. */
  mailFrom: { points: 5, duration: 3600 },
  mailTo: { points: 20, duration: 3600 },
  /** Readers of feeds ask every few minutes: of one's own feed, which is made anew each time. */
  ownFeed: { points: 240, duration: 3600 },
  write: { points: 240, duration: 60 },
  /** Publishing, hiding, going private: each may have many people to tell. */
  visibility: { points: 60, duration: 600 },
  /** Blocking and back: the pages of both ask anew for all that they show. */
  block: { points: 60, duration: 600 },
  /** Invitations to write a blog together: each tells somebody. */
  invite: { points: 30, duration: 3600 },
  upload: { points: 120, duration: 3600 },
  /** Cards of what is elsewhere, which is asked for them. */
  embed: { points: 120, duration: 3600 },
  /** Files to import from, and imports taken back. */
  import: { points: 12, duration: 3600 },
  comment: { points: 30, duration: 60 },
  report: { points: 20, duration: 3600 },
  /** Exports of all that is somebody's. */
  export: { points: 5, duration: 86_400 },
  push: { points: 30, duration: 3600 },
  /** Carets that move in a text: three pages of somebody all the time. */
  caret: { points: 900, duration: 60 },
  typing: { points: 40, duration: 60 },
  read: { points: 3_000, duration: 60 },
  socket: { points: 120, duration: 60 },
} as const;

export type RateRule = keyof typeof rules;

/** So many times what one network of IPv6 may do may all of a /48 together: that is what a customer of a hoster has. */
const networksOfOne = 8;

/** Counts in memory: one process serves a site. Switched off, everything passes. */
export class RateLimits {
  readonly #limiters: Map<RateRule, Record<"own" | "wide", RateLimiterMemory>>;
  readonly #on: boolean;
  readonly #letThrough = new LRUCache<string, true>({ max: 10_000, ttl: 60 * 60 * 1000 });

  constructor(on: boolean) {
    this.#on = on;
    this.#limiters = new Map(
      Object.entries(rules).map(([name, rule]) => [
        name as RateRule,
        {
          own: new RateLimiterMemory({ keyPrefix: name, ...rule }),
          wide: new RateLimiterMemory({ keyPrefix: name, ...rule, points: networksOfOne * rule.points }),
        },
      ]),
    );
  }

  #ways(rule: RateRule, of: string): [limiter: RateLimiterMemory, counted: string][] {
    const limiters = this.#limiters.get(rule);
    if (!limiters) return [];
    return countedWays(of).map(({ key, times }) => [times === 1 ? limiters.own : limiters.wide, key]);
  }

  /** Counts one, or `cost` for what costs as much as so many. Throws `too_many` with the seconds to wait. */
  async take(rule: RateRule, key: string, cost = 1): Promise<void> {
    if (!this.#on) return;
    try {
      for (const [limiter, counted] of this.#ways(rule, key)) await limiter.consume(counted, cost);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
      throw new AppError("too_many", `Too many attempts. Please try again in ${wait}.`, {
        retryAfter: seconds,
      });
    }
  }

  /** Gives back what was counted for what did not come to pass. */
  async giveBack(rule: RateRule, key: string, cost = 1): Promise<void> {
    for (const [limiter, counted] of this.#ways(rule, key))
      if (((await limiter.get(counted))?.consumedPoints ?? 0) > 0) await limiter.reward(counted, cost);
  }

  /** Lets whoever has this key through for an hour, where `isLetThrough` is asked before a limit. */
  letThrough(key: string): void {
    this.#letThrough.set(key, true);
  }

  isLetThrough(key: string): boolean {
    return this.#letThrough.has(key);
  }

  /** Forgets what was counted, after a success that shows the person is who they say. */
  async forgive(rule: RateRule, key: string): Promise<void> {
    await this.#limiters.get(rule)?.own.delete(countedAs(key));
  }
}

/** The key of an address together with what it asks for. */
export const pairOf = (address: string, of: string): string => `${countedAs(address)} ${of}`;

/** Of an IPv6 address its network: every household has 2⁶⁴ addresses of its own to go on with. */
export function countedAs(key: string): string {
  const plain = plainAddress(key);
  return isIPv6(plain) ? firstGroups(plain, 4) : plain;
}

/** Where an address counts, and how many times of what one may do is allowed there: of IPv6 as a network, and with all of its /48. */
export function countedWays(address: string): { key: string; times: number }[] {
  const plain = plainAddress(address);
  const own = { key: countedAs(address), times: 1 };
  return isIPv6(plain) ? [own, { key: `${firstGroups(plain, 3)}::/48`, times: networksOfOne }] : [own];
}

const firstGroups = (plain: string, count: number): string => groupsOf(plain).slice(0, count).join(":");
