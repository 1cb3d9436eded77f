import { and, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { StoredColumn } from "../database/schema/columns.ts";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
import { listedTexts } from "../database/dialect.ts";
import { setSiteValue } from "../database/meta.ts";
import { blogs } from "../database/schema/blogs.ts";
import { followRequests, follows } from "../database/schema/follows.ts";
import { mailTokens, users } from "../database/schema/profiles.ts";
import { signupRequests } from "../database/schema/sign-in.ts";
import { isVisibleTo } from "../blocks/queries.ts";

export type UserRow = typeof users.$inferSelect;
export type NewUser = typeof users.$inferInsert;

export const personColumns = {
  id: users.id,
  username: users.username,
  name: users.name,
  pictureId: users.pictureId,
};

const viewer = sql.placeholder("viewer");
/** A person in a list, with their relationship to the placeholder `viewer`. */
export const listedColumns = {
  ...personColumns,
  bio: users.bio,
  private: users.private,
  followed: sql<number>`exists (select 1 from ${follows} mine where mine.follower_id = ${viewer} and mine.followed_id = users.id)`,
  asked: sql<number>`exists (select 1 from ${followRequests} mine where mine.requester_id = ${viewer} and mine.owner_id = users.id)`,
};

/**
 * The SQL form of `visibleTabs`: true if the viewer can find the person in a list that `shows` allows. Others must not be named
 * to them.
 */
export const isVisibleInList = (account: Record<"id" | "private", StoredColumn>, shows: StoredColumn) =>
  sql`(${account.id} = ${viewer} or (${shows} = 1 and ${isVisibleTo(account.id)} and (${account.private} = 0 or exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = ${account.id}))))`;

const byId = preparedQuery((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder("id"))),
);
const byUsername = preparedQuery((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.username, sql.placeholder("username"))),
);
const byEmail = preparedQuery((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.email, sql.placeholder("email"))),
);
const byGoogleId = preparedQuery((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.googleId, sql.placeholder("googleId"))),
);
const follow = preparedQuery((db) =>
  db
    .select({ createdAt: follows.createdAt })
    .from(follows)
    .where(
      and(
        eq(follows.followerId, sql.placeholder("follower")),
        eq(follows.followedId, sql.placeholder("followed")),
      ),
    ),
);
const request = preparedQuery((db) =>
  db
    .select({ createdAt: followRequests.createdAt })
    .from(followRequests)
    .where(
      and(
        eq(followRequests.requesterId, sql.placeholder("requester")),
        eq(followRequests.ownerId, sql.placeholder("owner")),
      ),
    ),
);
export const userById = async (connection: Connection, id: string): Promise<UserRow | undefined> =>
  byId(connection).get({ id });
const verifiedAmong = preparedQuery((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        inArray(users.id, listedTexts(sql.placeholder("ids"))),
        isNotNull(users.verifiedAt),
        isVisibleTo(users.id),
      ),
    ),
);
/** Returns which of these are verified and visible to the viewer. */
export const visibleAmong = async (
  connection: Connection,
  ids: string[],
  viewerId: string | null,
): Promise<string[]> =>
  (await verifiedAmong(connection).all({ ids: JSON.stringify(ids), viewer: viewerId })).map(({ id }) => id);
const listedPeople = preparedQuery((db) =>
  db
    .select(listedColumns)
    .from(users)
    .where(and(inArray(users.id, listedTexts(sql.placeholder("ids"))), isVisibleTo(users.id))),
);
/** Returns people for a list, in this order. */
export async function listedAmong(connection: Connection, ids: string[], viewerId: string | null) {
  const rows = await listedPeople(connection).all({ ids: JSON.stringify(ids), viewer: viewerId });
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => rowsById.get(id) ?? []);
}
export const userByUsername = async (
  connection: Connection,
  username: string,
): Promise<UserRow | undefined> => byUsername(connection).get({ username: username.toLowerCase() });
export const userByEmail = async (connection: Connection, email: string): Promise<UserRow | undefined> =>
  byEmail(connection).get({ email });
export const userByGoogleId = async (
  connection: Connection,
  googleId: string,
): Promise<UserRow | undefined> => byGoogleId(connection).get({ googleId });
export const isFollower = async (
  connection: Connection,
  follower: string,
  followed: string,
): Promise<boolean> => (await follow(connection).get({ follower, followed })) !== undefined;
export const hasRequested = async (
  connection: Connection,
  requester: string,
  owner: string,
): Promise<boolean> => (await request(connection).get({ requester, owner })) !== undefined;
export async function insertUser(tx: Connection, user: NewUser): Promise<void> {
  await tx.drizzle.insert(users).values(user);
}

export async function updateUser(tx: Connection, id: string, change: Partial<NewUser>): Promise<void> {
  if (Object.keys(change).length > 0) await tx.drizzle.update(users).set(change).where(eq(users.id, id));
}

/** Adds to a denormalized count, in the transaction that changes what is counted. */
export async function addToCount(
  tx: Connection,
  column: "followersCount" | "followingCount",
  userIds: string[],
  change: number,
): Promise<void> {
  await tx.drizzle
    .update(users)
    .set({ [column]: sql`${users[column]} + ${change}` })
    .where(sql`${users.id} in ${listedTexts(JSON.stringify(userIds))}`);
}

/** Replaces the secret address of a personal feed. */
export async function renewFeedAddress(tx: Connection, id: string): Promise<void> {
  await tx.drizzle
    .update(users)
    .set({ feedRenewals: sql`feed_renewals + 1` })
    .where(eq(users.id, id));
}

export async function deleteUser(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(users).where(eq(users.id, id));
}

/** Counts verified accounts, up to `limit`. */
export const countVerified = async (connection: Connection, limit: number): Promise<number> =>
  (
    await connection.drizzle
      .select({ id: users.id })
      .from(users)
      .where(sql`verified_at is not null`)
      .limit(limit)
  ).length;

/** Returns whether no account is verified: the first one becomes administrator. */
export const hasNoVerifiedUser = async (connection: Connection): Promise<boolean> =>
  (await countVerified(connection, 1)) === 0;

export type LinkKind = (typeof mailTokens.$inferSelect)["kind"];

export async function insertMailToken(tx: Connection, token: typeof mailTokens.$inferInsert): Promise<void> {
  await tx.drizzle.insert(mailTokens).values(token);
}

const byMailToken = preparedQuery((db) =>
  db
    .select(getTableColumns(users))
    .from(mailTokens)
    .innerJoin(users, eq(users.id, mailTokens.userId))
    .where(
      and(
        eq(mailTokens.hash, sql.placeholder("hash")),
        eq(mailTokens.kind, sql.placeholder("kind")),
        gt(mailTokens.expiresAt, sql.placeholder("now")),
      ),
    ),
);

/** Returns the account of a valid link. */
export const userByMailToken = async (
  connection: Connection,
  hash: string,
  kind: LinkKind,
  now: number,
): Promise<UserRow | undefined> => byMailToken(connection).get({ hash, kind, now });

/** Deletes and returns a token, which works once. Returns undefined if it is missing or expired. */
export async function takeMailToken(
  tx: Connection,
  hash: string,
  kind: LinkKind,
  now: number,
): Promise<typeof mailTokens.$inferSelect | undefined> {
  const [row] = await tx.drizzle
    .delete(mailTokens)
    .where(and(eq(mailTokens.hash, hash), eq(mailTokens.kind, kind)))
    .returning();
  return row && row.expiresAt > now ? row : undefined;
}

/** Returns a link of any kind, also expired. */
export const mailLink = async (
  connection: Connection,
  hash: string,
): Promise<typeof mailTokens.$inferSelect | undefined> =>
  first(connection.drizzle.select().from(mailTokens).where(eq(mailTokens.hash, hash)));

/** Deletes undo links that expire at or after `since`. */
export async function deleteLaterUndo(tx: Connection, userId: string, since: number): Promise<void> {
  await tx.drizzle
    .delete(mailTokens)
    .where(
      and(
        eq(mailTokens.userId, userId),
        inArray(mailTokens.kind, ["undo-email", "undo-access"]),
        gte(mailTokens.expiresAt, since),
      ),
    );
}

/** Deletes an unconfirmed account without blogs, for a person who has proved to own its address. */
export async function deleteUnconfirmed(tx: Connection, email: string): Promise<void> {
  await tx.drizzle
    .delete(users)
    .where(
      and(
        eq(users.email, email),
        isNull(users.verifiedAt),
        sql`not exists (select 1 from ${blogs} where author_id = ${users.id})`,
      ),
    );
}

export async function deleteMailTokens(tx: Connection, userId: string, kind: LinkKind): Promise<void> {
  await tx.drizzle.delete(mailTokens).where(and(eq(mailTokens.userId, userId), eq(mailTokens.kind, kind)));
}

/** Returns the values of an unconfirmed account's newest sign-up. */
export async function newestSignUp(
  connection: Connection,
  userId: string,
): Promise<
  Pick<typeof mailTokens.$inferSelect, "name" | "passwordHash" | "answer" | "invitation"> | undefined
> {
  const { name, passwordHash, answer, invitation } = mailTokens;
  return first(
    connection.drizzle
      .select({ name, passwordHash, answer, invitation })
      .from(mailTokens)
      .where(and(eq(mailTokens.userId, userId), eq(mailTokens.kind, "verify")))
      .orderBy(desc(mailTokens.expiresAt))
      .limit(1),
  );
}

/** Counts the unconfirmed accounts whose sign-up came with an invitation, by links that still work. */
export const countUnconfirmedBy = async (
  connection: Connection,
  invitation: string,
  now: number,
): Promise<number> =>
  connection.drizzle.$count(
    mailTokens,
    and(eq(mailTokens.invitation, invitation), gt(mailTokens.expiresAt, now)),
  );

/** Writes as much as issuing a link, so that the response time reveals nothing. */
export async function writeDummyValue(tx: Connection, now: number): Promise<void> {
  await setSiteValue(tx, "asked_at", String(now));
}

export async function deleteExpiredTokens(tx: Connection, now: number, limit: number): Promise<number> {
  const { drizzle } = tx;
  const expired = drizzle
    .select({ hash: mailTokens.hash })
    .from(mailTokens)
    .where(lt(mailTokens.expiresAt, now))
    .limit(limit);
  return await changes(drizzle.delete(mailTokens).where(inArray(mailTokens.hash, expired)));
}

/** Deletes unconfirmed accounts from before a time. */
export async function deleteForgottenSignUps(tx: Connection, before: number, limit: number): Promise<number> {
  const { drizzle } = tx;
  const forgotten = drizzle
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        isNull(users.verifiedAt),
        lt(users.createdAt, before),
        sql`not exists (select 1 from ${mailTokens} where user_id = ${users.id})`,
        sql`not exists (select 1 from ${signupRequests} where user_id = ${users.id})`,
        // Keeps accounts that an import created.
        sql`not exists (select 1 from ${blogs} where author_id = ${users.id})`,
      ),
    )
    .limit(limit);
  return await changes(drizzle.delete(users).where(inArray(users.id, forgotten)));
}
