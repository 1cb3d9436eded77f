import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { StaffWaiting } from "../../shared/moderation.ts";
import type { StaffNotificationKind } from "../../shared/notifications.ts";
import { preparedQuery, type Connection, first } from "../database/connection.ts";
import { pendingComments } from "../database/schema/comments.ts";
import { reports } from "../database/schema/moderation.ts";
import { notifications } from "../database/schema/notifications.ts";
import { users } from "../database/schema/profiles.ts";
import { signupRequests } from "../database/schema/sign-in.ts";

const staff = preparedQuery((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(sql`(is_admin = 1 or is_moderator = 1) and suspended_at is null`),
);
/** Returns who handles reports and sign-ups. */
export const staffIds = async (connection: Connection): Promise<string[]> =>
  (await staff(connection).all()).map(({ id }) => id);

export const isStaff = async (connection: Connection, userId: string): Promise<boolean> =>
  (await staffIds(connection)).includes(userId);

/** 1 for a request to review a takedown: it is decided apart from reports of the same blog. */
export const isAppeal = sql<number>`case when ${reports.reason} = 'appeal' then 1 else 0 end`;

const openTargets = preparedQuery((db) =>
  db
    .select({ isAppeal, total: sql<number>`count(distinct ${reports.target})` })
    .from(reports)
    .where(isNull(reports.closedAt))
    .groupBy(isAppeal),
);
/** Counts what waits for moderators. */
export async function waitingForStaff(connection: Connection): Promise<StaffWaiting> {
  const counts = await openTargets(connection).all();
  const totalOf = (kind: number) => counts.find((row) => row.isAppeal === kind)?.total ?? 0;
  return {
    reports: totalOf(0),
    appeals: totalOf(1),
    signups: await connection.drizzle.$count(signupRequests),
  };
}

const unreadOfKind = preparedQuery((db) =>
  db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, sql.placeholder("userId")),
        eq(notifications.kind, sql.placeholder("kind")),
        isNull(notifications.readAt),
      ),
    )
    .limit(1),
);
/** Returns whether a moderator has an unread notification of this kind. */
export const hasUnreadOf = async (
  connection: Connection,
  userId: string,
  kind: StaffNotificationKind,
): Promise<boolean> => (await unreadOfKind(connection).get({ userId, kind })) !== undefined;

/** Returns whether any of these people has a notification of these kinds. */
export const hasNotifications = async (
  connection: Connection,
  userIds: string[],
  kinds: StaffNotificationKind[],
): Promise<boolean> =>
  (await first(
    connection.drizzle
      .select({ id: notifications.id })
      .from(notifications)
      .where(and(inArray(notifications.userId, userIds), inArray(notifications.kind, kinds)))
      .limit(1),
  )) !== undefined;

const anyWaiting = preparedQuery((db) =>
  db
    .select({
      any: sql<number>`exists (select 1 from ${pendingComments} p where p.for_link = 1)
        or exists (select 1 from ${reports} r where r.closed_at is null)`,
    })
    .from(sql`(select 1) as one`),
);
/** Returns whether any report is open, or a comment pending for a first link. */
export const hasStaffWork = async (connection: Connection): Promise<boolean> =>
  Boolean((await anyWaiting(connection).get())?.any);
