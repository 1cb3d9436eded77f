import { and, desc, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import { preparedQuery, type Connection, first } from "../database/connection.ts";
import { sessions } from "../database/schema/auth.ts";
import { pushSubscriptions } from "../database/schema/push.ts";

export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;

const subscriptionsOfUser = preparedQuery((db) =>
  db
    .select()
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, sql.placeholder("user")), isNull(pushSubscriptions.goneAt)))
    .orderBy(desc(pushSubscriptions.createdAt)),
);

/** Returns a person's subscriptions, newest first. */
export const subscriptionsOf = async (connection: Connection, user: string): Promise<SubscriptionRow[]> =>
  subscriptionsOfUser(connection).all({ user });

/** Returns a subscription whose session has not ended. */
export const liveSubscription = async (
  connection: Connection,
  id: string,
  now: number,
): Promise<SubscriptionRow | undefined> =>
  (
    await first(
      connection.drizzle
        .select({ subscription: pushSubscriptions })
        .from(pushSubscriptions)
        .innerJoin(sessions, eq(sessions.handle, pushSubscriptions.session))
        .where(
          and(eq(pushSubscriptions.id, id), isNull(pushSubscriptions.goneAt), gt(sessions.expiresAt, now)),
        ),
    )
  )?.subscription;

/** Stores a subscription in place of that of its session or browser. */
export async function storeSubscription(
  tx: Connection,
  row: typeof pushSubscriptions.$inferInsert,
): Promise<void> {
  const { session, endpoint, ...change } = row;
  await tx.drizzle
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.session, session), ne(pushSubscriptions.endpoint, endpoint)));
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
        displayed: [],
        goneAt: null,
      },
    });
}

/** Returns a session's subscription, also an ended one. */
export const subscriptionOf = async (
  connection: Connection,
  session: string,
): Promise<SubscriptionRow | undefined> =>
  first(connection.drizzle.select().from(pushSubscriptions).where(eq(pushSubscriptions.session, session)));

export const endSubscription = async (tx: Connection, id: string, goneAt: number): Promise<void> => {
  await tx.drizzle.update(pushSubscriptions).set({ goneAt }).where(eq(pushSubscriptions.id, id));
};

/** Ends a subscription, which its browser can renew. */
export const endSubscriptionOf = async (tx: Connection, session: string, goneAt: number): Promise<void> => {
  await tx.drizzle
    .update(pushSubscriptions)
    .set({ goneAt, displayed: [] })
    .where(eq(pushSubscriptions.session, session));
};

export const deleteSubscriptions = async (tx: Connection, ids: string[]): Promise<void> => {
  await tx.drizzle.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, ids));
};

export const deleteSubscriptionOf = async (tx: Connection, session: string): Promise<void> => {
  await tx.drizzle.delete(pushSubscriptions).where(eq(pushSubscriptions.session, session));
};

export const setDisplayed = async (
  tx: Connection,
  id: string,
  displayed: SubscriptionRow["displayed"],
): Promise<void> => {
  await tx.drizzle.update(pushSubscriptions).set({ displayed }).where(eq(pushSubscriptions.id, id));
};
