import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { users } from "../database/schema/users.ts";

/** Notes that somebody has seen what had come by then; answers whether they had not before. */
export async function markNoticesSeen(tx: Connection, userId: string, at: number): Promise<boolean> {
  const { id, noticesSeenAt } = users;
  const { changes } = await tx.drizzle
    .update(users)
    .set({ noticesSeenAt: at })
    .where(and(eq(id, userId), or(isNull(noticesSeenAt), lt(noticesSeenAt, at))))
    .run();
  return changes > 0;
}
