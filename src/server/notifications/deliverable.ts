import { muting } from "../../shared/muting.ts";
import type { NotificationChannels } from "../../shared/notifications.ts";
import type { NotificationGroup } from "../../shared/social.ts";
import type { Connection } from "../database/connection.ts";
import { mutedWordsOf } from "../users/mute-queries.ts";
import { userById, type UserRow } from "../users/queries.ts";
import { presentNotifications } from "./present.ts";
import { unreadNotification, type NotificationRow } from "./queries.ts";
import { channelsFor } from "./channels.ts";

/** Of these notifications of somebody those in which no word stands that they have muted. */
export async function withoutMutedWords(
  connection: Connection,
  userId: string,
  rows: NotificationRow[],
): Promise<NotificationRow[]> {
  const mutes = muting(await mutedWordsOf(connection, userId));
  const said = ({ comment, blog }: NotificationRow) =>
    [comment, blog?.title ?? null].filter((text) => text !== null);
  return rows.filter((row) => !mutes({ texts: said(row) }));
}

/** The account, where it may be told of anything away from the site. */
export async function deliverableUser(connection: Connection, userId: string): Promise<UserRow | undefined> {
  const user = await userById(connection, userId);
  return user?.verifiedAt && user.suspendedAt === null ? user : undefined;
}

/**
 * One of somebody's notifications at the moment in which they are told of it away from the site, with where they want that by now; undefined
 * where it was read or taken back, is about what they may no longer see, or where the account hears of nothing.
 */
export async function deliverableNotification(
  connection: Connection,
  userId: string,
  id: string,
): Promise<{ notification: NotificationGroup; channels: NotificationChannels } | undefined> {
  const row =
    (await deliverableUser(connection, userId)) && (await unreadNotification(connection, userId, id));
  const [notification] = presentNotifications(await withoutMutedWords(connection, userId, row ? [row] : []));
  return notification && { notification, channels: await channelsFor(connection, userId, notification.kind) };
}
