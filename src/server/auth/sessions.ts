import { Lucia, TimeSpan, type Session } from "lucia";
import { limits } from "../../shared/limits.ts";
import type { Connection, Database } from "../database/connection.ts";
import { hashSecret, newSecret } from "../ids.ts";
import { HashingAdapter, lastDayOf } from "./adapter.ts";
import { readCookie } from "./cookies.ts";
import { asKept, rekeySession } from "./queries.ts";

export interface SessionAttributes {
  handle: string;
  userAgent: string;
  createdAt: number;
  seenAt: number;
}

/** A session as it was found: `cookie` is set where its time was prolonged and the browser should hear of it. */
export interface FoundSession {
  hash: string;
  handle: string;
  userId: string;
  isAdmin: boolean;
  cookie: string | undefined;
}

const seenEvery = 5 * 60 * 1000;

/** Sign-in sessions, by lucia: the browser's cookie and the API's bearer token are the same thing (docs/decisions/0002-sessions.md). */
export class Sessions {
  readonly #lucia: Lucia<SessionAttributes, { isAdmin: boolean }>;
  readonly #adapter: HashingAdapter;
  readonly #onError: (error: unknown) => void;

  constructor(
    database: Database,
    options: { https: boolean; onEnd: (hash: string) => void; onError: (error: unknown) => void },
  ) {
    this.#adapter = new HashingAdapter(database, options.onEnd);
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

  /** Signs somebody in. `token` is the secret: for the cookie, or the API's bearer. */
  async begin(
    userId: string,
    userAgent: string,
  ): Promise<{ token: string; handle: string; hash: string; cookie: string }> {
    const token = newSecret();
    const handle = newSecret().slice(0, 16);
    const now = Date.now();
    await this.#lucia.createSession(
      userId,
      { handle, userAgent: asKept(userAgent), createdAt: now, seenAt: now },
      { sessionId: token },
    );
    return {
      token,
      handle,
      hash: hashSecret(token),
      cookie: this.#cookie(token, now),
    };
  }

  /**
   * Has a session go on with another secret, in the transaction that gives a reason to. Answers with its new cookie, and undefined
   * where it has ended; what the old secret had open is to be `closed` after the commit.
   */
  async renew(tx: Connection, hash: string): Promise<string | undefined> {
    const token = newSecret();
    const renewed = await rekeySession(tx, hash, hashSecret(token));
    return renewed && this.#cookie(token, renewed.createdAt);
  }

  /** A session's cookie, which is over when the session has to be. */
  #cookie(token: string, createdAt: number): string {
    const cookie = this.#lucia.createSessionCookie(token);
    const left = Math.floor((lastDayOf(createdAt) - Date.now()) / 1000);
    cookie.attributes.maxAge = Math.min(limits.session.days * 24 * 60 * 60, Math.max(0, left));
    return cookie.serialize();
  }

  /** The living session behind a cookie or bearer token, or null. */
  async find(token: string | null): Promise<FoundSession | null> {
    if (!token || token.length > 200) return null;
    const { session, user } = await this.#lucia.validateSession(token);
    if (!session) return null;
    const hash = hashSecret(token);
    if (Date.now() - session.seenAt > seenEvery) this.#adapter.touch(hash, Date.now()).catch(this.#onError);
    return {
      hash,
      handle: session.handle,
      userId: user.id,
      isAdmin: user.isAdmin,
      cookie: session.fresh ? this.#cookie(token, session.createdAt) : undefined,
    };
  }

  /** The token in a `Cookie` header, whether or not a session lives behind it. */
  fromCookie = (header: string | undefined): string | null =>
    readCookie(header, this.#lucia.sessionCookieName) ?? null;

  get blankCookie(): string {
    return this.#lucia.createBlankSessionCookie().serialize();
  }

  end = (token: string): Promise<void> => this.#lucia.invalidateSession(token);
  endByHandle = (userId: string, handle: string): Promise<boolean> => this.#adapter.endOf(userId, handle);
  endAll = (userId: string): Promise<void> => this.#lucia.invalidateUserSessions(userId);
  /** Closes what sessions had open whose rows are gone. */
  closed = (hashes: string[]): void => hashes.forEach((hash) => this.#adapter.signalEnded(hash));
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
