import type { NotificationList, NotificationRef, NotificationKind } from "../../shared/social.ts";
import { muting } from "../../shared/muting.ts";
import { mayReadBlog } from "../blogs/access.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { inSteps } from "../database/steps.ts";
import { newId } from "../ids.ts";
import { userTopic } from "../live/stored-events.ts";
import { mutedWordsOf } from "../users/mute-queries.ts";
import { markNotificationsSeen } from "../users/notifications-seen-queries.ts";
import { isPersonHidden } from "../users/block-queries.ts";
import { deliver, deliverRead } from "./deliveries.ts";
import { presentNotifications } from "./present.ts";
import { channelsFor } from "./channels.ts";
import { withoutMutedWords } from "./deliverable.ts";
import { publishWithdrawn } from "./events.ts";
import * as queries from "./queries.ts";
import { wayOf } from "./subscription-queries.ts";

/** A notification to store. Those with the same `target` are shown as one entry. */
export interface NewNotification {
  userId: string;
  kind: NotificationKind;
  actorId: string;
  target: string;
  blogId?: string;
  commentId?: string;
}

/** Kinds for the blog's author, who can always read it, and for people they invite, who can see its title. */
const inAnyCase: ReadonlySet<NotificationKind> = new Set(["comment", "held", "like", "invited", "joined"]);

/** How many rows are read for one list. */
const depth = 300;
/** How many rows are marked in one transaction, which takes some milliseconds. */
const atOnce = 500;

/**
 * Creates a notification in the transaction of its cause, unless the recipient is the actor, one is hidden from the other, the
 * recipient muted the blog or a word in it, cannot read the blog, or turned this topic off.
 */
export async function notify(tx: Transaction, notification: NewNotification): Promise<void> {
  if (notification.userId === notification.actorId) return;
  if (await isPersonHidden(tx, notification.userId, notification.actorId)) return;
  if (notification.blogId && (await wayOf(tx, notification.userId, notification.blogId)) === "mute") return;
  const words = await mutedWordsOf(tx, notification.userId);
  if (words.length > 0 && muting(words)({ texts: await queries.textsOf(tx, notification) })) return;
  if (notification.blogId && !inAnyCase.has(notification.kind)) {
    if (!(await mayReadBlog(tx, { id: notification.userId, isAdmin: false }, { id: notification.blogId })))
      return;
  }
  await store(tx, notification);
}

/** Creates a notification of a moderation decision. No moderator is named: the recipient is stored as the actor. */
export const notifyForSite = (
  tx: Transaction,
  notification: Omit<NewNotification, "actorId">,
): Promise<void> => store(tx, { ...notification, actorId: notification.userId });

async function store(tx: Transaction, notification: NewNotification): Promise<void> {
  const channels = await channelsFor(tx, notification.userId, notification.kind);
  if (!channels.page) return;
  const createdAt = Date.now();
  const id = await queries.insertNotification(tx, { ...notification, id: newId(), createdAt });
  await tx.emit(userTopic(notification.userId), { kind: "notification.created" });
  const { userId, kind, target } = notification;
  await deliver(tx, { id, userId, kind, target, createdAt }, channels);
}

/** Deletes a notification whose cause was undone. */
export async function withdraw(
  tx: Transaction,
  notification: Omit<NewNotification, "blogId" | "commentId">,
): Promise<void> {
  if (await queries.deleteNotification(tx, notification)) await publishWithdrawn(tx, [notification.userId]);
}

/** Returns the viewer's notifications, newest first, grouped by target, and how many are unread and unseen. */
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

/** Stores that the viewer has opened a list whose newest notification is `newest`: the bell on all pages counts only newer ones. */
export async function seeNotifications(ctx: MemberContext, newest: string): Promise<{ unseen: number }> {
  const { id } = ctx.viewer;
  const at = Math.min(Date.parse(newest), Date.now());
  return ctx.database.write(async (tx) => {
    if (await markNotificationsSeen(tx, id, at)) await tx.emit(userTopic(id), { kind: "notification.seen" });
    return { unseen: await queries.countUnseen(tx, id) };
  });
}

/** Marks all notifications as read, or those about one target, in several writes if there are many. */
export async function readNotifications(
  ctx: MemberContext,
  only?: NotificationRef,
): Promise<{ unread: number }> {
  const { id } = ctx.viewer;
  const now = Date.now();
  let marked = 0;
  let unread = 0;
  await inSteps(ctx.database, async (tx) => {
    const some = await queries.markRead(tx, id, now, atOnce, only);
    marked += some;
    if (some === atOnce) return false;
    if (marked > 0) {
      await tx.emit(userTopic(id), { kind: "notification.read", only });
      await deliverRead(tx, id);
    }
    unread = await queries.countUnread(tx, id);
    return true;
  });
  return { unread };
}
