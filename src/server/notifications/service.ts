import { deleteNotificationsBefore } from "./queries.ts";
import type { Database } from "../database/connection.ts";
import { limits } from "../../shared/limits.ts";
import type { NotificationRef } from "../../shared/notification-inputs.ts";
import {
  notificationKinds,
  type NotificationChannels,
  type NotificationKind,
  type NotificationList,
} from "../../shared/notifications.ts";
import { createMuteFilter } from "../../shared/mute-filter.ts";
import { mayReadBlog } from "../blogs/access.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { runInSteps, deleteInSteps } from "../database/run-in-steps.ts";
import { newId } from "../runtime/ids.ts";
import { userTopic } from "../live/stored-events.ts";
import { markNotificationsSeen } from "../profiles/account-queries.ts";
import { deliver } from "./deliveries.ts";
import { presentNotifications } from "./present.ts";
import { choicesOf, storedChannels } from "./channel-queries.ts";
import { withoutMutedWords } from "./deliverable.ts";
import { publishWithdrawn } from "./events.ts";
import * as queries from "./queries.ts";

/** A notification to store. The same `target` makes one entry. */
export interface NewNotification {
  userId: string;
  kind: NotificationKind;
  actorId: string;
  target: string;
  blogId?: string;
  commentId?: string;
}

/** The most rows read for a list. */
const depth = 300;
/** Rows marked in one transaction, within some milliseconds. */
const batchSize = 500;

/**
 * Creates a notification in its cause's transaction, unless the recipient is the actor, gone or hidden from them, muted the blog or a
 * word, cannot read the blog, or turned the topic off.
 */
export async function notify(tx: Transaction, notification: NewNotification): Promise<void> {
  if (notification.userId === notification.actorId) return;
  const { isAlwaysReadable, topic } = notificationKinds[notification.kind];
  const choices = await choicesOf(tx, notification, topic);
  if (!choices || choices.isActorHidden || choices.level === "mute") return;
  const { mutedWords } = choices;
  if (
    mutedWords.length > 0 &&
    createMuteFilter(mutedWords)({ texts: await queries.textsOf(tx, notification) })
  )
    return;
  if (notification.blogId && !isAlwaysReadable) {
    if (!(await mayReadBlog(tx, { id: notification.userId, isAdmin: false }, { id: notification.blogId })))
      return;
  }
  await store(tx, notification, choices.channels);
}

/** Notifies of a moderation decision, with the recipient as actor so that no moderator is named. */
export const notifyForSite = async (
  tx: Transaction,
  notification: Omit<NewNotification, "actorId">,
): Promise<void> => {
  const { userId, kind } = notification;
  await store(
    tx,
    { ...notification, actorId: userId },
    await storedChannels(tx, userId, notificationKinds[kind].topic),
  );
};

async function store(
  tx: Transaction,
  notification: NewNotification,
  channels: NotificationChannels,
): Promise<void> {
  if (!channels.page) return;
  const createdAt = Date.now();
  const id = await queries.insertNotification(tx, { ...notification, id: newId(), createdAt });
  tx.emit(userTopic(notification.userId), { kind: "notification.created" });
  const { userId, kind, target } = notification;
  await deliver(tx, { id, userId, kind, target, createdAt }, channels);
}

/** Deletes a notification whose cause was undone. */
export async function withdraw(
  tx: Transaction,
  notification: Omit<NewNotification, "blogId" | "commentId">,
): Promise<void> {
  if (await queries.deleteNotification(tx, notification)) publishWithdrawn(tx, [notification.userId]);
}

/** Returns the viewer's notifications, newest first, by target, with the counts. */
export async function listNotifications(ctx: MemberContext): Promise<NotificationList> {
  const { read } = ctx.database;
  const [rows, unread, unseen] = await Promise.all([
    queries.newestNotifications(read, ctx.viewer.id, depth),
    queries.countUnread(read, ctx.viewer.id),
    queries.countUnseen(read, ctx.viewer.id),
  ]);
  const notifications = presentNotifications(await withoutMutedWords(read, ctx.viewer.id, rows));
  const [newest] = rows;
  return { notifications, unread, unseen, newest: newest ? new Date(newest.createdAt).toISOString() : null };
}

/** Marks the list as opened up to `newest`: the bell counts newer ones. */
export async function seeNotifications(ctx: MemberContext, newest: string): Promise<{ unseen: number }> {
  const { id } = ctx.viewer;
  const at = Math.min(Date.parse(newest), Date.now());
  return ctx.database.write(async (tx) => {
    if (await markNotificationsSeen(tx, id, at)) tx.emit(userTopic(id), { kind: "notification.seen" });
    return { unseen: await queries.countUnseen(tx, id) };
  });
}

/** Marks all notifications, or those about a target, as read, in several transactions if many. */
export async function readNotifications(
  ctx: MemberContext,
  only?: NotificationRef,
): Promise<{ unread: number }> {
  const { id } = ctx.viewer;
  const now = Date.now();
  let readCount = 0;
  let unread = 0;
  await runInSteps(ctx.database, async (tx) => {
    const count = await queries.markRead(tx, id, now, batchSize, only);
    readCount += count;
    if (count === batchSize) return false;
    if (readCount > 0) tx.emit(userTopic(id), { kind: "notification.read", only });
    unread = await queries.countUnread(tx, id);
    return true;
  });
  return { unread };
}

export const deleteOldNotifications = (database: Pick<Database, "write">, now: number): Promise<void> =>
  deleteInSteps(database, async (tx, limit) => {
    const recipients = await deleteNotificationsBefore(tx, now - limits.notifications.keptFor, limit);
    publishWithdrawn(tx, recipients);
    return recipients.length;
  });
