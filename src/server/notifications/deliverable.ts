import { muting } from "../../shared/muting.ts";
import type { NotificationChannels } from "../../shared/notifications.ts";
import type { NotificationGroup } from "../../shared/social.ts";
import type { Connection } from "../database/connection.ts";
import { mutedWordsOf } from "../users/mute-queries.ts";
import { userById, type UserRow } from "../users/queries.ts";
import { presentNotifications } from "./present.ts";
import { unreadNotification, type NotificationRow } from "./queries.ts";
import { channelsFor } from "./channels.ts";

/** Returns those of a person's notifications that contain none of their muted words. */
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

/** Returns the account if it can be notified outside of the site: confirmed and not suspended. */
export async function deliverableUser(connection: Connection, userId: string): Promise<UserRow | undefined> {
  const user = await userById(connection, userId);
  return user?.verifiedAt && user.suspendedAt === null ? user : undefined;
}

/**
 * Returns a notification right before it is delivered outside of the site, with its current channels; undefined if it was read or
 * withdrawn, if the person can no longer see what it is about, or if the account cannot be notified.
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
