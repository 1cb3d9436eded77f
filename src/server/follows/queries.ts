import { and, asc, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import { preparedQuery, type Connection, type Drizzle, changes } from "../database/connection.ts";
import { followRequests, follows, rejectedRequests } from "../database/schema/follows.ts";
import { users } from "../database/schema/profiles.ts";
import type { ListedRow } from "../profiles/present.ts";
import { isVisibleTo } from "../blocks/queries.ts";
import { addToCount, listedColumns, personColumns } from "../profiles/queries.ts";

/** Inserts a follow and updates both counts. Returns false if it existed. */
export async function insertFollow(
  tx: Connection,
  followerId: string,
  followedId: string,
  now: number,
): Promise<boolean> {
  const changed = await changes(
    tx.drizzle.insert(follows).values({ followerId, followedId, createdAt: now }).onConflictDoNothing(),
  );
  if (changed > 0) await changeFollowCounts(tx, followerId, followedId, 1);
  return changed > 0;
}

export async function deleteFollow(tx: Connection, followerId: string, followedId: string): Promise<boolean> {
  const changed = await changes(
    tx.drizzle
      .delete(follows)
      .where(and(eq(follows.followerId, followerId), eq(follows.followedId, followedId))),
  );
  if (changed > 0) await changeFollowCounts(tx, followerId, followedId, -1);
  return changed > 0;
}

async function changeFollowCounts(
  tx: Connection,
  followerId: string,
  followedId: string,
  change: number,
): Promise<void> {
  await addToCount(tx, "followingCount", [followerId], change);
  await addToCount(tx, "followersCount", [followedId], change);
}

export async function insertRequest(
  tx: Connection,
  requesterId: string,
  ownerId: string,
  now: number,
): Promise<boolean> {
  return (
    (await changes(
      tx.drizzle
        .insert(followRequests)
        .values({ requesterId, ownerId, createdAt: now })
        .onConflictDoNothing(),
    )) > 0
  );
}

export async function deleteRequest(tx: Connection, requesterId: string, ownerId: string): Promise<boolean> {
  return (
    (await changes(
      tx.drizzle
        .delete(followRequests)
        .where(and(eq(followRequests.requesterId, requesterId), eq(followRequests.ownerId, ownerId))),
    )) > 0
  );
}

/** Stores a rejected request, to undo the rejection. */
export async function storeRejected(
  tx: Connection,
  requesterId: string,
  ownerId: string,
  askedAt: number,
  now: number,
): Promise<void> {
  const row = { requesterId, ownerId, askedAt, rejectedAt: now };
  await tx.drizzle
    .insert(rejectedRequests)
    .values(row)
    .onConflictDoUpdate({
      target: [rejectedRequests.requesterId, rejectedRequests.ownerId],
      set: { askedAt, rejectedAt: now },
    });
}

/** Deletes a rejected request. Returns when it was made, if rejected at or after `since`. */
export async function takeRejected(
  tx: Connection,
  requesterId: string,
  ownerId: string,
  since: number,
): Promise<number | undefined> {
  const [row] = await tx.drizzle
    .delete(rejectedRequests)
    .where(and(eq(rejectedRequests.requesterId, requesterId), eq(rejectedRequests.ownerId, ownerId)))
    .returning();
  return row && row.rejectedAt >= since ? row.askedAt : undefined;
}

export async function deleteRejected(tx: Connection, before: number): Promise<void> {
  await tx.drizzle.delete(rejectedRequests).where(lt(rejectedRequests.rejectedAt, before));
}

const someFollowers = preparedQuery((db) =>
  db
    .select({ id: follows.followerId })
    .from(follows)
    .where(
      and(
        eq(follows.followedId, sql.placeholder("person")),
        gt(follows.followerId, sql.placeholder("after")),
      ),
    )
    .orderBy(asc(follows.followerId))
    .limit(sql.placeholder("limit")),
);
/** Returns ids of a person's followers in order, after `after`. */
export const followersAfter = async (
  connection: Connection,
  person: string,
  after: string,
  limit: number,
): Promise<string[]> => (await someFollowers(connection).all({ person, after, limit })).map(({ id }) => id);

const requests = (db: Drizzle) =>
  db
    .select({ ...personColumns, bio: users.bio, askedAt: followRequests.createdAt })
    .from(followRequests)
    .innerJoin(users, eq(users.id, followRequests.requesterId));
const requestsOf = preparedQuery((db) =>
  requests(db)
    .where(and(eq(followRequests.ownerId, sql.placeholder("owner")), isVisibleTo(followRequests.requesterId)))
    .orderBy(desc(followRequests.createdAt), desc(followRequests.requesterId))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset")),
);
const requesters = preparedQuery((db) =>
  db
    .select({ id: followRequests.requesterId })
    .from(followRequests)
    .where(eq(followRequests.ownerId, sql.placeholder("owner")))
    .orderBy(desc(followRequests.createdAt), desc(followRequests.requesterId))
    .limit(sql.placeholder("limit")),
);
const requestFrom = preparedQuery((db) =>
  requests(db).where(
    and(
      eq(followRequests.ownerId, sql.placeholder("owner")),
      eq(followRequests.requesterId, sql.placeholder("requester")),
      isVisibleTo(followRequests.requesterId),
    ),
  ),
);
const requestCount = preparedQuery((db) =>
  db
    .select({ total: count() })
    .from(followRequests)
    .where(
      and(eq(followRequests.ownerId, sql.placeholder("owner")), isVisibleTo(followRequests.requesterId)),
    ),
);

export type RequestRow = Awaited<ReturnType<ReturnType<typeof requestsOf>["all"]>>[number];
export const listRequests = async (
  connection: Connection,
  owner: string,
  limit: number,
  offset = 0,
): Promise<RequestRow[]> => requestsOf(connection).all({ owner, viewer: owner, limit, offset });
/** Returns some requesters, including those whom the owner currently cannot see. */
export const requestersOf = async (
  connection: Connection,
  owner: string,
  limit: number,
): Promise<{ id: string }[]> => requesters(connection).all({ owner, limit });
export const requestBy = async (
  connection: Connection,
  owner: string,
  requester: string,
): Promise<RequestRow | undefined> => requestFrom(connection).get({ owner, viewer: owner, requester });
export const countRequests = async (connection: Connection, owner: string): Promise<number> =>
  (await requestCount(connection).get({ owner, viewer: owner }))?.total ?? 0;

const inPages = { limit: sql.placeholder("limit"), offset: sql.placeholder("offset") };

const tiesPage = (
  db: Drizzle,
  selected: "followerId" | "followedId",
  filtered: "followerId" | "followedId",
) =>
  db
    .select({ id: follows[selected], createdAt: follows.createdAt })
    .from(follows)
    .where(and(eq(follows[filtered], sql.placeholder("of")), isVisibleTo(follows[selected])))
    .orderBy(desc(follows.createdAt), desc(follows[selected]))
    .limit(inPages.limit)
    .offset(inPages.offset)
    .as("tie");
const peopleIn = (selected: "followerId" | "followedId", filtered: "followerId" | "followedId") =>
  preparedQuery((db) => {
    const tie = tiesPage(db, selected, filtered);
    return db
      .select(listedColumns)
      .from(tie)
      .innerJoin(users, eq(users.id, tie.id))
      .orderBy(desc(tie.createdAt), desc(tie.id));
  });
const followersOf = peopleIn("followerId", "followedId");
const followedBy = peopleIn("followedId", "followerId");

/** Returns followers or followed people, newest first, with their relationship to the viewer. */
export const listPeople = async (
  connection: Connection,
  list: "followers" | "following",
  at: { of: string; viewer: string | null; limit: number; offset: number },
): Promise<ListedRow[]> => (list === "followers" ? followersOf : followedBy)(connection).all({ ...at });

const idsFollowing = preparedQuery((db) =>
  db
    .select({ id: follows.followerId })
    .from(follows)
    .where(and(eq(follows.followedId, sql.placeholder("of")), isVisibleTo(follows.followerId)))
    .orderBy(desc(follows.createdAt), desc(follows.followerId))
    .limit(sql.placeholder("limit")),
);
const idsFollowed = preparedQuery((db) =>
  db
    .select({ id: follows.followedId })
    .from(follows)
    .where(and(eq(follows.followerId, sql.placeholder("of")), isVisibleTo(follows.followedId)))
    .orderBy(desc(follows.createdAt), desc(follows.followedId))
    .limit(sql.placeholder("limit")),
);

/** Returns followers and followed people, newest first. */
export async function followIdsOf(
  connection: Connection,
  of: string,
  limit: number,
): Promise<{ followers: string[]; following: string[] }> {
  const [followers, following] = [
    await idsFollowing(connection).all({ of, viewer: of, limit }),
    await idsFollowed(connection).all({ of, viewer: of, limit }),
  ];
  return { followers: followers.map(({ id }) => id), following: following.map(({ id }) => id) };
}

/** Returns the accounts a person has asked to follow. */
export const requestedAccountIds = async (
  connection: Connection,
  requesterId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await connection.drizzle
    .select({ ownerId: followRequests.ownerId })
    .from(followRequests)
    .where(eq(followRequests.requesterId, requesterId))
    .limit(limit);
  return rows.map(({ ownerId }) => ownerId);
};
