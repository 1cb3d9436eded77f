import { LRUCache } from "lru-cache";
import { hashSecret, newSecret } from "../ids.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import type { GoogleIdentity } from "./google.ts";

const minutes = 10;

/** What can be begun, each by its kind: a sign-in by Google that lacks its second step, a passkey being made, one being asked for. */
interface Begun {
  google: GoogleIdentity;
  making: { userId: string; challenge: string };
  passkey: { challenge: string };
}
export type BegunKind = keyof Begun;
export type BegunAs<Kind extends BegunKind> = Begun[Kind];

/**
 * What a browser was asked, or has shown so far, on its way to a sign-in: kept in memory for some minutes, as one process serves
 * a site. The browser has a cookie for it, so that nobody else can go on with what it began.
 */
export class Challenges {
  readonly #kept = new LRUCache<string, { kind: BegunKind; value: Begun[BegunKind] }>({
    max: 10_000,
    ttl: minutes * 60 * 1000,
  });

  /** Keeps what was begun; the secret is for the browser's cookie. */
  begin<Kind extends BegunKind>(kind: Kind, value: Begun[Kind]): string {
    const secret = newSecret();
    this.#kept.set(hashSecret(secret), { kind, value });
    return secret;
  }

  /** What this browser has begun, to be gone on with once more. */
  find<Kind extends BegunKind>(kind: Kind, secret: string | null | undefined): Begun[Kind] | undefined {
    const found = secret ? this.#kept.get(hashSecret(secret)) : undefined;
    return found?.kind === kind ? (found.value as Begun[Kind]) : undefined;
  }

  /** The same, for the one time that it counts. */
  take<Kind extends BegunKind>(kind: Kind, secret: string | null | undefined): Begun[Kind] | undefined {
    const value = this.find(kind, secret);
    if (value) this.#kept.delete(hashSecret(secret!));
    return value;
  }
}

const nameOf = (https: boolean): string => (https ? "__Host-begun" : "begun");

/** The secret of what this browser has begun, from its `Cookie` header. */
export const begunSecret = (header: string | undefined, https: boolean): string | null =>
  readCookie(header, nameOf(https)) ?? null;

/** The cookie of what was begun; of the empty secret, the one that takes it back. */
export const begunCookie = (secret: string, https: boolean): string =>
  writeCookie(nameOf(https), secret, {
    httpOnly: true,
    sameSite: "lax",
    secure: https,
    path: "/",
    maxAge: secret ? minutes * 60 : 0,
  });
