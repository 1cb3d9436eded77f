import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { users } from "../database/schema/profiles.ts";

/** Marks notifications until `at` as seen. Returns false if they already were. */
export async function markNotificationsSeen(tx: Connection, userId: string, at: number): Promise<boolean> {
  const { id, notificationsSeenAt } = users;
  const { changes } = await tx.drizzle
    .update(users)
    .set({ notificationsSeenAt: at })
    .where(and(eq(id, userId), or(isNull(notificationsSeenAt), lt(notificationsSeenAt, at))))
    .run();
  return changes > 0;
}
