import { and, eq, inArray } from "drizzle-orm";
import type { StoredColumn } from "../database/schema/columns.ts";
import type { Connection } from "../database/connection.ts";
import { followRequests, follows } from "../database/schema/follows.ts";
import { addToCount } from "../profiles/queries.ts";

/** Deletes some of an account's follows and requests, and updates the others' counts. Returns those people. */
export async function deleteSomeFollows(
  tx: Connection,
  userId: string,
  limit: number,
): Promise<{ followed: string[]; followers: string[]; requested: string[]; requesters: string[] }> {
  const { drizzle } = tx;
  let remaining = limit;
  const end = async (
    table: typeof follows | typeof followRequests,
    ownColumn: StoredColumn,
    otherColumn: StoredColumn,
  ) => {
    const batch = drizzle
      .select({ id: otherColumn })
      .from(table)
      .where(eq(ownColumn, userId))
      .limit(remaining);
    const rows = await drizzle
      .delete(table)
      .where(and(eq(ownColumn, userId), inArray(otherColumn, batch)))
      .returning({ id: otherColumn });
    remaining -= rows.length;
    return rows.map(({ id }) => id as string);
  };
  const followers = await end(follows, follows.followedId, follows.followerId);
  const followed = await end(follows, follows.followerId, follows.followedId);
  const requesters = await end(followRequests, followRequests.ownerId, followRequests.requesterId);
  const requested = await end(followRequests, followRequests.requesterId, followRequests.ownerId);
  await addToCount(tx, "followersCount", followed, -1);
  await addToCount(tx, "followingCount", followers, -1);
  return { followed, followers, requested, requesters };
}
