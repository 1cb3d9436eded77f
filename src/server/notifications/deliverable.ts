import { createMuteFilter } from "../../shared/mute-filter.ts";
import type { NotificationChannels, NotificationGroup } from "../../shared/notifications.ts";
import type { Connection } from "../database/connection.ts";
import { mutedWordsOf } from "../blocks/mute-queries.ts";
import { userById, type UserRow } from "../profiles/queries.ts";
import { presentNotifications } from "./present.ts";
import { unreadNotification, type NotificationRow } from "./queries.ts";
import { channelsFor } from "./channels.ts";

/** Returns the notifications without the person's muted words. */
export async function withoutMutedWords(
  connection: Connection,
  userId: string,
  rows: NotificationRow[],
): Promise<NotificationRow[]> {
  const mutes = createMuteFilter(await mutedWordsOf(connection, userId));
  const textsOf = ({ comment, blog }: NotificationRow) =>
    [comment, blog?.title ?? null].filter((text) => text !== null);
  return rows.filter((row) => !mutes({ texts: textsOf(row) }));
}

/** Returns the account if it is confirmed and not suspended. */
export async function deliverableUser(connection: Connection, userId: string): Promise<UserRow | undefined> {
  const user = await userById(connection, userId);
  return user?.verifiedAt && user.suspendedAt === null ? user : undefined;
}

/**
 * Returns a notification with its current channels right before delivery; undefined if it was read or withdrawn, its subject is
 * no longer visible, or the account is not deliverable.
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
