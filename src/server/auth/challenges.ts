import { LRUCache } from "lru-cache";
import { hashSecret, newSecret } from "../runtime/ids.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import type { GoogleIdentity } from "./google.ts";

const minutes = 10;

/** Values by kind: a Google sign-in that lacks its second step, a passkey being created, a passkey sign-in. */
interface ChallengeValues {
  google: GoogleIdentity;
  making: { userId: string; challenge: string };
  passkey: { challenge: string };
}
export type ChallengeKind = keyof ChallengeValues;
export type ChallengeValue<Kind extends ChallengeKind> = ChallengeValues[Kind];

/** Unfinished sign-ins and passkey setups, in memory since one process serves a site. A cookie binds each to its browser. */
export class Challenges {
  readonly #challenges = new LRUCache<string, { kind: ChallengeKind; value: ChallengeValues[ChallengeKind] }>(
    {
      max: 10_000,
      ttl: minutes * 60 * 1000,
    },
  );

  /** Stores a challenge and returns the secret for its cookie. */
  begin<Kind extends ChallengeKind>(kind: Kind, value: ChallengeValues[Kind]): string {
    const secret = newSecret();
    this.#challenges.set(hashSecret(secret), { kind, value });
    return secret;
  }

  /** Returns this browser's challenge, which can be tried again. */
  find<Kind extends ChallengeKind>(
    kind: Kind,
    secret: string | null | undefined,
  ): ChallengeValues[Kind] | undefined {
    const challenge = secret ? this.#challenges.get(hashSecret(secret)) : undefined;
    return challenge?.kind === kind ? (challenge.value as ChallengeValues[Kind]) : undefined;
  }

  /** Returns and deletes this browser's challenge: it counts once. */
  take<Kind extends ChallengeKind>(
    kind: Kind,
    secret: string | null | undefined,
  ): ChallengeValues[Kind] | undefined {
    const value = this.find(kind, secret);
    if (value) this.#challenges.delete(hashSecret(secret!));
    return value;
  }
}

const nameOf = (https: boolean): string => (https ? "__Host-begun" : "begun");

/** Returns the secret of this browser's challenge. */
export const challengeSecret = (header: string | undefined, https: boolean): string | null =>
  readCookie(header, nameOf(https)) ?? null;

/** Returns the cookie of a challenge; an empty secret deletes it. */
export const challengeCookie = (secret: string, https: boolean): string =>
  writeCookie(nameOf(https), secret, {
    httpOnly: true,
    sameSite: "lax",
    secure: https,
    path: "/",
    maxAge: secret ? minutes * 60 : 0,
  });
