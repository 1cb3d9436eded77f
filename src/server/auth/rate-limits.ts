import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "../../shared/errors.ts";
import type { CountStore, Database } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";
import { newId } from "../runtime/ids.ts";
import { exactFrom, measureThread } from "../runtime/thread-shares.ts";
import { ipv6Groups, normalizeAddress } from "./ip-address.ts";

/** Rate limits: `points` in `duration` seconds for each key (account, address). `profiles/quotas.ts` has daily limits. */
const rules = {
  signInAddress: { points: 50, duration: 600 },
  /** From one address for one account. Not for an account alone: strangers could lock its owner out. */
  signInPair: { points: 10, duration: 600 },
  /** From a known browser, or an address that has just reset the password. */
  signInKnown: { points: 20, duration: 600 },
  ownPassword: { points: 10, duration: 600 },
  /** Changes of sign-in methods; each sends an email. */
  access: { points: 20, duration: 3600 },
  /** After the right password: all unknown browsers of an account together, and each known one. */
  code: { points: 5, duration: 900 },
  codeKnown: { points: 20, duration: 900 },
  /** Sign-ins from one address; passkeys cannot be guessed. */
  passkey: { points: 60, duration: 600 },
  /** Invalid links from emails. */
  wrongLink: { points: 50, duration: 600 },
  forgotPassword: { points: 20, duration: 3600 },
  resendVerification: { points: 20, duration: 3600 },
  /** Emails of one kind to one mailbox: from one address, so that no stranger uses up the total; in total. */
  mailFrom: { points: 5, duration: 3600 },
  mailTo: { points: 20, duration: 3600 },
  /** Test emails of an administrator, who waits for the mail server. */
  testMail: { points: 10, duration: 3600 },
  /** Feed readers poll every few minutes; each request builds the feed. */
  ownFeed: { points: 240, duration: 3600 },
  write: { points: 240, duration: 60 },
  /** Kilobytes of stored text, and milliseconds of work on a text. Pages wait for a minute at most without a word. */
  text: { points: 5_000, duration: 60 },
  /** Publishing, unpublishing, going private: each can notify many. */
  visibility: { points: 60, duration: 600 },
  /** Open pages of both people refetch everything. */
  block: { points: 60, duration: 600 },
  /** Invitations to co-author; each notifies a person. */
  invite: { points: 30, duration: 3600 },
  upload: { points: 120, duration: 3600 },
  /** Previews of external pages, which are fetched. */
  embed: { points: 120, duration: 3600 },
  /** Imports and undone imports. */
  import: { points: 12, duration: 3600 },
  comment: { points: 30, duration: 60 },
  /** Live blogs that an owner starts; each can notify many. */
  goLive: { points: 10, duration: 86_400 },
  /** Entries of live blogs, and changes of them. */
  entry: { points: 30, duration: 60 },
  report: { points: 20, duration: 3600 },
  export: { points: 5, duration: 86_400 },
  push: { points: 30, duration: 3600 },
  /** Caret moves; enough for three open pages of one person. */
  caret: { points: 900, duration: 60 },
  typing: { points: 40, duration: 60 },
  read: { points: 3_000, duration: 60 },
  socket: { points: 120, duration: 60 },
} as const;

export type RateRule = keyof typeof rules;

/** Characters of a response, and milliseconds of the main thread, per point of `read`. */
const perPoint = { characters: 20_000, milliseconds: exactFrom };

/** How many times the limit of one IPv6 network its /48 has: hosting customers get a whole /48. */
const wideFactor = 8;

/** Seconds from which a rule counts for all servers. */
const sharedFrom = 600;

/** A store with the secret for its keys, which contain addresses of people. */
type KeyedStore = CountStore & { secret: string };
type Limiter = RateLimiterMemory | RateLimiterPostgres;

/**
 * Counts in memory of the process. Where a site can have several servers, rules of ten minutes or more count for all of them in the store,
 * and in each while the store does not answer; those per minute always count in each, so that three servers allow three times as much. If
 * disabled, nothing is refused.
 */
export class RateLimits {
  readonly #limiters: Map<RateRule, Record<"own" | "wide", Limiter>>;
  readonly isOn: boolean;
  readonly #store: KeyedStore | undefined;
  /** What is sealed or signed to be used once is of use within this scope alone: where its use is remembered. */
  readonly scope: string;
  readonly #exempt: Limiter;
  readonly #used: Limiter;

  constructor(isOn: boolean, store?: KeyedStore) {
    this.isOn = isOn;
    this.#store = store;
    this.scope = store ? "" : ` ${newId()}`;
    this.#limiters = new Map(
      Object.entries(rules).map(([name, rule]) => [
        name as RateRule,
        {
          own: createLimiter({ keyPrefix: name, ...rule }, store),
          wide: createLimiter({ keyPrefix: name, ...rule, points: wideFactor * rule.points }, store),
        },
      ]),
    );
    this.#exempt = createLimiter({ keyPrefix: "exempt", points: 1, duration: 3600 }, store);
    this.#used = createLimiter({ keyPrefix: "used", points: 1, duration: 3600, isStrict: true }, store);
  }

  /** Opens the limits of a server. */
  static async open({ counts, read }: Database, isOn: boolean): Promise<RateLimits> {
    return new RateLimits(
      isOn,
      counts && { query: counts.query, secret: await siteSecret(read, "rate limits") },
    );
  }

  #limitersFor(rule: RateRule, key: string): [limiter: Limiter, counted: string][] {
    const limiters = this.#limiters.get(rule);
    if (!this.isOn || !limiters) return [];
    return addressKeys(key).map(({ key: limiterKey, times }) => [
      times === 1 ? limiters.own : limiters.wide,
      this.#counted(rule, limiterKey),
    ]);
  }

  /** Returns what is counted for a key: in a store a hash, of which nobody can say that it is that of an address. */
  #counted(purpose: string, key: string): string {
    if (!this.#store) return key;
    return createHmac("sha256", this.#store.secret).update(`${purpose} ${key}`).digest("base64url");
  }

  /** Counts `cost` points. Throws `too_many` with the seconds to wait. */
  async take(rule: RateRule, key: string, cost = 1): Promise<void> {
    try {
      for (const [limiter, limiterKey] of this.#limitersFor(rule, key))
        await limiter.consume(limiterKey, cost);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
      const reason = rule === "text" ? "That’s too much text at once." : "Too many attempts.";
      throw new AppError("too_many", `${reason} Please try again in ${wait}.`, {
        retryAfter: seconds,
      });
    }
  }

  /**
   * Counts what a response has cost: its length, and the time of the main thread. It refuses nothing, and counts against later
   * reads.
   */
  takeForCost(address: string, cost: { characters?: number; milliseconds?: number }): void {
    const { characters = 0, milliseconds = 0 } = cost;
    const points =
      Math.floor(characters / perPoint.characters) + Math.floor(milliseconds / perPoint.milliseconds);
    if (points > 0) this.take("read", address, points).catch(() => undefined);
  }

  /** Counts the time of the main thread that `work` takes before it waits. */
  chargeTime<T>(address: string, work: () => Promise<T>): Promise<T> {
    return measureThread(work, (milliseconds) => this.takeForCost(address, { milliseconds }));
  }

  /** Refunds the points of a request that was not carried out. */
  async refund(rule: RateRule, key: string, cost = 1): Promise<void> {
    for (const [limiter, limiterKey] of this.#limitersFor(rule, key))
      if (((await limiter.get(limiterKey))?.consumedPoints ?? 0) > 0) await limiter.reward(limiterKey, cost);
  }

  /** Exempts a key for an hour where callers check `isExempt`. */
  async exempt(key: string): Promise<void> {
    await this.#exempt.set(this.#counted("exempt", key), 1, this.#exempt.duration);
  }

  async isExempt(key: string): Promise<boolean> {
    return this.isOn && (await this.#exempt.get(this.#counted("exempt", key))) !== null;
  }

  /**
   * Returns whether a key, which is of no use after `until`, is used for the first time, by any server, also with the limits off. Throws
   * `StoreUnreachable` rather than let it be used twice.
   */
  async firstUse(key: string, until: number): Promise<boolean> {
    // The clocks of servers differ.
    const customDuration = Math.ceil((until - Date.now()) / 1000) + 60;
    try {
      await this.#used.consume(this.#counted("used", key), 1, { customDuration });
      return true;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return false;
    }
  }

  /** Resets a count after a success that proved the person's identity. */
  async reset(rule: RateRule, key: string): Promise<void> {
    const [own] = this.#limitersFor(rule, key);
    if (own) await own[0].delete(own[1]);
  }
}

/** Creates the limiter of a rule. A strict one does not count in memory while the store does not answer, and throws. */
function createLimiter(
  { isStrict = false, ...rule }: { keyPrefix: string; points: number; duration: number; isStrict?: boolean },
  store: KeyedStore | undefined,
): Limiter {
  const inMemory = new RateLimiterMemory(rule);
  if (!store || rule.duration < sharedFrom) return inMemory;
  return new RateLimiterPostgres({
    ...rule,
    storeClient: store,
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
    // By a job (housekeeping.ts).
    clearExpiredByTimeout: false,
    // Refuses a flood without asking the store.
    inMemoryBlockOnConsumed: 2 * rule.points,
    ...(isStrict ? {} : { insuranceLimiter: inMemory }),
  });
}

/** Returns the key of an address together with an account or email. */
export const pairKey = (address: string, account: string): string => `${addressKey(address)} ${account}`;

/** Returns the key of an address: for IPv6 its /64, since a household has 2⁶⁴ addresses. */
export function addressKey(key: string): string {
  const normalized = normalizeAddress(key);
  return isIPv6(normalized) ? firstGroups(normalized, 4) : normalized;
}

/** Returns the keys of an address, each with its multiple of the limit: for IPv6 also its /48. */
export function addressKeys(address: string): { key: string; times: number }[] {
  const normalized = normalizeAddress(address);
  const ownKey = { key: addressKey(address), times: 1 };
  return isIPv6(normalized)
    ? [ownKey, { key: `${firstGroups(normalized, 3)}::/48`, times: wideFactor }]
    : [ownKey];
}

const firstGroups = (normalized: string, count: number): string =>
  ipv6Groups(normalized).slice(0, count).join(":");
