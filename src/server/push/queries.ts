import { and, desc, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { sessions } from "../database/schema/auth.ts";
import { pushSubscriptions } from "../database/schema/push.ts";

export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;

const ofPerson = hot((db) =>
  db
    .select()
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, sql.placeholder("user")), isNull(pushSubscriptions.goneAt)))
    .orderBy(desc(pushSubscriptions.createdAt))
    .prepare(),
);

/** Somebody's subscriptions, the newest first. */
export const subscriptionsOf = async (connection: Connection, user: string): Promise<SubscriptionRow[]> =>
  ofPerson(connection).all({ user });

/** A subscription whose session has not ended. */
export const liveSubscription = async (
  connection: Connection,
  id: string,
  now: number,
): Promise<SubscriptionRow | undefined> =>
  (
    await connection.drizzle
      .select({ subscription: pushSubscriptions })
      .from(pushSubscriptions)
      .innerJoin(sessions, eq(sessions.handle, pushSubscriptions.session))
      .where(and(eq(pushSubscriptions.id, id), isNull(pushSubscriptions.goneAt), gt(sessions.expiresAt, now)))
      .get()
  )?.subscription;

/** Puts it in the place of what its session, or its browser, had before. */
export async function storeSubscription(
  tx: Connection,
  row: typeof pushSubscriptions.$inferInsert,
): Promise<void> {
  const { session, endpoint, ...change } = row;
  await tx.drizzle
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.session, session), ne(pushSubscriptions.endpoint, endpoint)))
    .run();
  await tx.drizzle
    .insert(pushSubscriptions)
    .values(row)
    .onConflictDoUpdate({
      target: pushSubscriptions.endpoint,
      set: {
        session,
        userId: change.userId,
        p256dh: change.p256dh,
        auth: change.auth,
        told: [],
        goneAt: null,
      },
    })
    .run();
}

/** The subscription of a session, also one that is over and may be renewed. */
export const subscriptionOf = async (
  connection: Connection,
  session: string,
): Promise<SubscriptionRow | undefined> =>
  connection.drizzle.select().from(pushSubscriptions).where(eq(pushSubscriptions.session, session)).get();

export const setGone = async (tx: Connection, id: string, goneAt: number): Promise<void> =>
  void (await tx.drizzle.update(pushSubscriptions).set({ goneAt }).where(eq(pushSubscriptions.id, id)).run());

/** Ends the subscription of a session, whose browser may renew it. */
export const setGoneOf = async (tx: Connection, session: string, goneAt: number): Promise<void> =>
  void (await tx.drizzle
    .update(pushSubscriptions)
    .set({ goneAt, told: [] })
    .where(eq(pushSubscriptions.session, session))
    .run());

export const deleteSubscriptions = async (tx: Connection, ids: string[]): Promise<void> =>
  void (await tx.drizzle.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, ids)).run());

export const deleteSubscriptionOf = async (tx: Connection, session: string): Promise<void> =>
  void (await tx.drizzle.delete(pushSubscriptions).where(eq(pushSubscriptions.session, session)).run());

export const setTold = async (tx: Connection, id: string, told: SubscriptionRow["told"]): Promise<void> =>
  void (await tx.drizzle.update(pushSubscriptions).set({ told }).where(eq(pushSubscriptions.id, id)).run());
