import { setImmediate as nextTurn } from "node:timers/promises";
import { and, eq, isNotNull, isNull, ne, or, sql, sum, lt } from "drizzle-orm";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { media } from "../database/schema/media.ts";
import { users } from "../database/schema/profiles.ts";
import type { UserRow } from "./queries.ts";

const bytesOfPictures = preparedQuery((db) =>
  db
    .select({ bytes: sum(media.bytes) })
    .from(media)
    .where(eq(media.ownerId, sql.placeholder("id"))),
);
/** Returns the bytes of an account's pictures. */
export const pictureBytesOf = async (connection: Connection, id: string): Promise<number> =>
  Number((await bytesOfPictures(connection).get({ id }))?.bytes ?? 0);

/** Bytes that a version or commit takes beside its text. */
const rowBytes = 500;
const bytesOfText = preparedQuery((db) =>
  db
    .select({
      bytes:
        sql<number>`octet_length(${blogs.document}) + octet_length(${blogs.html}) + octet_length(${blogs.text})
        + coalesce((select sum(octet_length(document) + ${rowBytes}) from versions where blog_id = blogs.id), 0)
        + coalesce((select sum(octet_length(document) + octet_length(html) + ${rowBytes}) from entries where blog_id = blogs.id), 0)
        + coalesce((select octet_length(document) + octet_length(fields) from drafts where blog_id = blogs.id), 0)
        + coalesce((select sum(octet_length(text) + ${rowBytes}) from comments where blog_id = blogs.id and guest_name is not null), 0)
        + coalesce((select sum(octet_length(steps) + octet_length(fields) + ${rowBytes}) from draft_commits where blog_id = blogs.id), 0)`.mapWith(
          Number,
        ),
    })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id"))),
);
/** Milliseconds of measuring in one turn of the event loop. */
const maxTurnMs = 5;

/**
 * Returns the bytes of an account's texts with their versions, drafts, commits and imported comments. Takes several turns; no text
 * is read.
 */
export async function textBytesOf(connection: Connection, userId: string): Promise<number> {
  const ids = await connection.drizzle.select({ id: blogs.id }).from(blogs).where(eq(blogs.authorId, userId));
  let [bytes, turn] = [0, performance.now()];
  for (const { id } of ids) {
    bytes += (await bytesOfText(connection).get({ id }))?.bytes ?? 0;
    if (performance.now() - turn < maxTurnMs) continue;
    await nextTurn();
    turn = performance.now();
  }
  return bytes;
}

/** Returns the account with this username, address or id. */
export const findAccount = async (connection: Connection, word: string): Promise<UserRow | undefined> =>
  first(
    connection.drizzle
      .select()
      .from(users)
      .where(
        or(eq(users.username, word.toLowerCase()), eq(users.email, word.toLowerCase()), eq(users.id, word)),
      )
      .limit(1),
  );

/** Returns whether someone else is an administrator who can sign in. */
export const hasOtherAdmin = async (connection: Connection, userId: string): Promise<boolean> =>
  (await first(
    connection.drizzle
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          eq(users.isAdmin, true),
          ne(users.id, userId),
          isNotNull(users.verifiedAt),
          isNull(users.suspendedAt),
        ),
      )
      .limit(1),
  )) !== undefined;

const zones = preparedQuery((db) =>
  db
    .select({ zone: users.zone })
    .from(users)
    .where(eq(users.id, sql.placeholder("user"))),
);

/** Returns a person's time zone; null if no browser has reported it. */
export const zoneOf = async (connection: Connection, user: string): Promise<string | null> =>
  (await zones(connection).get({ user }))?.zone ?? null;

export const storeZone = async (tx: Connection, user: string, zone: string): Promise<void> => {
  await tx.drizzle.update(users).set({ zone }).where(eq(users.id, user));
};

/** Marks notifications until `at` as seen. Returns false if they already were. */
export async function markNotificationsSeen(tx: Connection, userId: string, at: number): Promise<boolean> {
  const { id, notificationsSeenAt } = users;
  const changed = await changes(
    tx.drizzle
      .update(users)
      .set({ notificationsSeenAt: at })
      .where(and(eq(id, userId), or(isNull(notificationsSeenAt), lt(notificationsSeenAt, at)))),
  );
  return changed > 0;
}
