import type { Connection } from "../database/connection.ts";
import { isBusy } from "../database/errors.ts";
import { seal, unseal } from "../database/site-secret.ts";
import { newId } from "../runtime/ids.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import type { GoogleIdentity } from "./google.ts";
import type { RateLimits } from "./rate-limits.ts";

const seconds = 10 * 60;

/** Values by kind: a Google sign-in that lacks its second step, a passkey being created, a passkey sign-in. */
interface ChallengeValues {
  google: GoogleIdentity;
  making: { userId: string; challenge: string };
  passkey: { challenge: string };
}
export type ChallengeKind = keyof ChallengeValues;
export type ChallengeValue<Kind extends ChallengeKind> = ChallengeValues[Kind];

interface Challenge<Kind extends ChallengeKind> {
  /** Names it once it is used: the sealed text can be written in several ways. */
  id: string;
  value: ChallengeValues[Kind];
  expiresAt: number;
}

/**
 * Unfinished sign-ins and passkey setups. Each is in a cookie of its browser, sealed for its kind, so that any server of the site can
 * finish it.
 */
export class Challenges {
  readonly #read: Connection;
  readonly #limits: RateLimits;

  constructor(read: Connection, limits: RateLimits) {
    this.#read = read;
    this.#limits = limits;
  }

  /** Returns a new challenge, sealed for its cookie. */
  begin<Kind extends ChallengeKind>(kind: Kind, value: ChallengeValues[Kind]): Promise<string> {
    const challenge: Challenge<Kind> = { id: newId(), value, expiresAt: Date.now() + seconds * 1000 };
    return seal(this.#read, this.#purposeOf(kind), JSON.stringify(challenge));
  }

  /** Returns the value of this browser's challenge without using it up. */
  async find<Kind extends ChallengeKind>(
    kind: Kind,
    sealed: string | null | undefined,
  ): Promise<ChallengeValues[Kind] | undefined> {
    return (await this.#open(kind, sealed))?.value;
  }

  /** Returns the value of this browser's challenge, once. */
  async take<Kind extends ChallengeKind>(
    kind: Kind,
    sealed: string | null | undefined,
  ): Promise<ChallengeValues[Kind] | undefined> {
    const challenge = await this.#open(kind, sealed);
    return challenge && (await this.#limits.firstUse(`challenge ${challenge.id}`, challenge.expiresAt))
      ? challenge.value
      : undefined;
  }

  #purposeOf(kind: ChallengeKind): string {
    return `challenge ${kind}${this.#limits.scope}`;
  }

  async #open<Kind extends ChallengeKind>(
    kind: Kind,
    sealed: string | null | undefined,
  ): Promise<Challenge<Kind> | undefined> {
    if (!sealed) return undefined;
    try {
      const challenge = JSON.parse(
        await unseal(this.#read, this.#purposeOf(kind), sealed),
      ) as Challenge<Kind>;
      return challenge.expiresAt > Date.now() ? challenge : undefined;
    } catch (error) {
      if (isBusy(error)) throw error;
      // Of another kind or site, or changed.
      return undefined;
    }
  }
}

const nameOf = (https: boolean): string => (https ? "__Host-begun" : "begun");

/** Returns this browser's sealed challenge. */
export const sealedChallenge = (header: string | undefined, https: boolean): string | null =>
  readCookie(header, nameOf(https)) ?? null;

/** Returns the cookie of a sealed challenge. */
export const challengeCookie = (sealed: string, https: boolean): string =>
  writeCookie(nameOf(https), sealed, {
    httpOnly: true,
    sameSite: "lax",
    secure: https,
    path: "/",
    maxAge: seconds,
  });
