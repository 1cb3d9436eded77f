import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Adapter, DatabaseSession, DatabaseUser } from "lucia";
import { limits } from "../../shared/limits.ts";
import { preparedQuery, type Connection, type Database } from "../database/connection.ts";
import { sessions } from "../database/schema/auth.ts";
import { users } from "../database/schema/profiles.ts";
import { deleteInSteps } from "../database/run-in-steps.ts";
import { hashSecret } from "../runtime/ids.ts";
import { sessionEndedTopic } from "../live/signals.ts";
import { userTopic } from "../live/stored-events.ts";

/** Prefix of session ids that hold a stored hash, not a secret. Session lookups hash them again, so they are no credentials. */
const hashPrefix = "sha256:";
const keyOf = (id: string) => (id.startsWith(hashPrefix) ? id.slice(hashPrefix.length) : hashSecret(id));

/** Returns the latest time at which a session expires, however much it is used. */
export const maxExpiryOf = (createdAt: number): number =>
  createdAt + limits.session.mostDays * 24 * 60 * 60 * 1000;

const sessionWithUser = preparedQuery((db) =>
  db
    .select({
      handle: sessions.handle,
      userId: sessions.userId,
      userAgent: sessions.userAgent,
      seenAt: sessions.seenAt,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
      isAdmin: users.isAdmin,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.hash, sql.placeholder("hash"))),
);

/** Stores hashes of lucia's sessions. The connections of ended ones are closed by a signal. */
export class HashingAdapter implements Adapter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async getSessionAndUser(id: string): Promise<[DatabaseSession | null, DatabaseUser | null]> {
    const row = await sessionWithUser(this.#database.read).get({ hash: hashSecret(id) });
    if (!row) return [null, null];
    const { handle, userAgent, seenAt, createdAt } = row;
    const last = maxExpiryOf(createdAt);
    // lucia extends sessions that expire soon. One at its maximum cannot be extended, so lucia gets a later date.
    const isLast = row.expiresAt >= last && last > Date.now();
    return [
      {
        id,
        userId: row.userId,
        expiresAt: new Date(isLast ? last + maxExpiryOf(0) : Math.min(row.expiresAt, last)),
        attributes: { handle, userAgent, seenAt, createdAt },
      },
      { id: row.userId, attributes: { isAdmin: row.isAdmin } },
    ];
  }

  async getUserSessions(userId: string): Promise<DatabaseSession[]> {
    const rows = await this.#database.read.drizzle
      .select()
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(desc(sessions.seenAt))
      .limit(100);
    return rows.map(({ hash, handle, userAgent, seenAt, createdAt, expiresAt }) => ({
      id: hashPrefix + hash,
      userId,
      expiresAt: new Date(Math.min(expiresAt, maxExpiryOf(createdAt))),
      attributes: { handle, userAgent, seenAt, createdAt },
    }));
  }

  async setSession(session: DatabaseSession): Promise<void> {
    await this.#database.write(async (tx) => {
      await tx.drizzle.insert(sessions).values({
        hash: hashSecret(session.id),
        userId: session.userId,
        expiresAt: session.expiresAt.getTime(),
        ...session.attributes,
      });
      tx.emit(userTopic(session.userId), { kind: "viewer.signInChanged" });
    });
  }

  async updateSessionExpiration(id: string, expiresAt: Date): Promise<void> {
    const [requestedExpiry, maxLifetime] = [expiresAt.getTime(), maxExpiryOf(0)];
    const endsEarlier = sql`${sessions.createdAt} + ${maxLifetime} < ${requestedExpiry}`;
    await this.#database.write(async (tx) => {
      await tx.drizzle
        .update(sessions)
        .set({
          expiresAt: sql`case when ${endsEarlier} then ${sessions.createdAt} + ${maxLifetime} else ${requestedExpiry} end`,
        })
        .where(eq(sessions.hash, keyOf(id)));
    });
  }

  async deleteSession(id: string): Promise<void> {
    await this.#end(eq(sessions.hash, keyOf(id)));
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await this.#end(eq(sessions.userId, userId));
  }

  async deleteExpiredSessions(): Promise<void> {
    const now = Date.now();
    const expired = (tx: Connection, limit: number) =>
      tx.drizzle
        .select({ hash: sessions.hash })
        .from(sessions)
        .where(or(lt(sessions.expiresAt, now), lt(sessions.createdAt, now - maxExpiryOf(0))))
        .limit(limit);
    await deleteInSteps(this.#database, async (tx, limit) => {
      const rows = await tx.drizzle
        .delete(sessions)
        .where(inArray(sessions.hash, expired(tx, limit)))
        .returning({ hash: sessions.hash });
      for (const { hash } of rows) tx.signal(sessionEndedTopic(hash));
      return rows.length;
    });
  }

  async deleteByHandle(userId: string, handle: string): Promise<boolean> {
    return (await this.#end(and(eq(sessions.userId, userId), eq(sessions.handle, handle)))) > 0;
  }

  async touch(hash: string, seenAt: number): Promise<void> {
    await this.#database.write(async (tx) => {
      await tx.drizzle.update(sessions).set({ seenAt }).where(eq(sessions.hash, hash));
    });
  }

  async #end(condition: ReturnType<typeof eq> | undefined): Promise<number> {
    return this.#database.write(async (tx) => {
      const { hash, userId } = sessions;
      const ended = await tx.drizzle.delete(sessions).where(condition).returning({ hash, userId });
      for (const session of ended) tx.signal(sessionEndedTopic(session.hash));
      if (ended[0]) tx.emit(userTopic(ended[0].userId), { kind: "viewer.signInChanged" });
      return ended.length;
    });
  }
}
