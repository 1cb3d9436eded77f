import { Lucia, TimeSpan, type Session } from "lucia";
import { limits } from "../../shared/limits.ts";
import type { Database } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { hashSecret, newSecret } from "../runtime/ids.ts";
import { HashingAdapter, maxExpiryOf } from "./adapter.ts";
import { readCookie } from "./cookies.ts";
import { truncateUserAgent, rekeySession } from "./queries.ts";

export interface SessionAttributes {
  handle: string;
  userAgent: string;
  createdAt: number;
  seenAt: number;
}

/** A valid session; `cookie` is set if it was extended. */
export interface FoundSession {
  hash: string;
  handle: string;
  userId: string;
  isAdmin: boolean;
  cookie: string | undefined;
}

const seenIntervalMs = 5 * 60 * 1000;

/** Sessions by lucia; cookie and bearer token are the same secret (docs/decisions/0012-accounts-sessions-and-two-factor.md). */
export class Sessions {
  readonly #lucia: Lucia<SessionAttributes, { isAdmin: boolean }>;
  readonly #adapter: HashingAdapter;
  readonly #onError: (error: unknown) => void;

  constructor(database: Database, options: { https: boolean; onError: (error: unknown) => void }) {
    this.#adapter = new HashingAdapter(database);
    this.#onError = options.onError;
    this.#lucia = new Lucia<SessionAttributes, { isAdmin: boolean }>(this.#adapter, {
      sessionExpiresIn: new TimeSpan(limits.session.days, "d"),
      sessionCookie: {
        name: options.https ? "__Host-session" : "session",
        attributes: { secure: options.https, sameSite: "lax", path: "/" },
      },
      getSessionAttributes: ({ handle, userAgent, createdAt, seenAt }) => ({
        handle,
        userAgent,
        createdAt,
        seenAt,
      }),
      getUserAttributes: ({ isAdmin }) => ({ isAdmin }),
    });
  }

  /** Starts a session. `token` is the secret. */
  async begin(
    userId: string,
    userAgent: string,
  ): Promise<{ token: string; handle: string; hash: string; cookie: string }> {
    const token = newSecret();
    const handle = newSecret().slice(0, 16);
    const now = Date.now();
    await this.#lucia.createSession(
      userId,
      { handle, userAgent: truncateUserAgent(userAgent), createdAt: now, seenAt: now },
      { sessionId: token },
    );
    return {
      token,
      handle,
      hash: hashSecret(token),
      cookie: this.#cookie(token, now),
    };
  }

  /** Replaces a session's secret and returns the new cookie; undefined if it has ended. */
  async renew(tx: Transaction, hash: string): Promise<string | undefined> {
    const token = newSecret();
    const renewed = await rekeySession(tx, hash, hashSecret(token));
    return renewed && this.#cookie(token, renewed.createdAt);
  }

  /** Returns a cookie that expires no later than the session. */
  #cookie(token: string, createdAt: number): string {
    const cookie = this.#lucia.createSessionCookie(token);
    const remainingSeconds = Math.floor((maxExpiryOf(createdAt) - Date.now()) / 1000);
    cookie.attributes.maxAge = Math.min(limits.session.days * 24 * 60 * 60, Math.max(0, remainingSeconds));
    return cookie.serialize();
  }

  /** Returns the valid session of a token, or null. */
  async find(token: string | null): Promise<FoundSession | null> {
    if (!token || token.length > 200) return null;
    const { session, user } = await this.#lucia.validateSession(token);
    if (!session) return null;
    const hash = hashSecret(token);
    if (Date.now() - session.seenAt > seenIntervalMs)
      this.#adapter.touch(hash, Date.now()).catch(this.#onError);
    return {
      hash,
      handle: session.handle,
      userId: user.id,
      isAdmin: user.isAdmin,
      cookie: session.fresh ? this.#cookie(token, session.createdAt) : undefined,
    };
  }

  /** Returns the cookie's token, without checking for a session. */
  fromCookie = (header: string | undefined): string | null =>
    readCookie(header, this.#lucia.sessionCookieName) ?? null;

  get blankCookie(): string {
    return this.#lucia.createBlankSessionCookie().serialize();
  }

  end = (token: string): Promise<void> => this.#lucia.invalidateSession(token);
  endByHandle = (userId: string, handle: string): Promise<boolean> =>
    this.#adapter.deleteByHandle(userId, handle);
  list = (userId: string): Promise<Session[]> => this.#lucia.getUserSessions(userId);
  sweep = (): Promise<void> => this.#lucia.deleteExpiredSessions();
}

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionAttributes, { isAdmin: boolean }>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: { isAdmin: boolean };
  }
}
