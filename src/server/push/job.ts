import { hash } from "node:crypto";
import { shorten } from "../../shared/document/shorten.ts";
import { notificationAddress, notificationSentence } from "../../shared/notification-text.ts";
import type { PushMessage } from "../../shared/push.ts";
import type { Parts } from "../context.ts";
import { Hopeless, type JobHandler } from "../jobs/jobs.ts";
import { deliverableNotification, deliverableUser } from "../notifications/deliverable.ts";
import type { PushWork } from "./delivery.ts";
import { liveSubscription, setGone, setTold, type SubscriptionRow } from "./queries.ts";

/** Characters of a title (what was said comes cut already), and how many are known to be shown somewhere. */
const most = { title: 200, told: 20 };

/** Sends one push. Whether its person may still see what it tells of, and wants it, is asked right before. */
export const sendPush: JobHandler<PushWork> = {
  atOnce: 4,
  timeLimit: 30_000,
  run: async (parts, { subscription: id, notification }, { signal }) => {
    const subscription = await liveSubscription(parts.database.read, id, Date.now());
    if (!subscription) return;
    const due =
      notification === undefined
        ? await withdrawn(parts, subscription)
        : await told(parts, subscription, notification);
    if (!due) return;
    const { message, left } = due;
    const topic = hash("sha256", message.kind === "notification" ? message.tag : "read", "base64url").slice(
      0,
      32,
    );
    const sent = await parts.pushes.send(subscription, message, { topic, signal });
    if (sent === "later") throw new Error("The push service is busy.");
    if (sent === "refused") throw new Hopeless("The push service refused it.");
    await parts.database.write((tx) =>
      sent === "gone" ? setGone(tx, id, Date.now()) : setTold(tx, id, left),
    );
  },
};

interface Due {
  message: PushMessage;
  /** What may be shown there then. */
  left: SubscriptionRow["told"];
}

/** Nothing to whoever looks at a page: it stands there. */
async function told(
  { database, presence }: Parts,
  { userId, told: before }: SubscriptionRow,
  id: string,
): Promise<Due | undefined> {
  const person = await deliverableUser(database.read, userId);
  const found = person && (await deliverableNotification(database.read, userId, id));
  if (!person || !found?.channels.push || presence.isActive(userId)) return undefined;
  const { notification } = found;
  const tag = `${notification.kind}:${notification.target}`;
  const message: PushMessage = {
    kind: "notification",
    tag,
    title: shorten(notificationSentence(notification), most.title),
    body: notification.excerpt ?? "",
    url: notificationAddress(notification, person),
  };
  const others = before.filter((one) => one.id !== id);
  return { message, left: [...others, { id, tag }].slice(-most.told) };
}

/** Closes what was read, once all that was told under its name is. */
async function withdrawn(
  { database }: Parts,
  { userId, told: before }: SubscriptionRow,
): Promise<Due | undefined> {
  const left: SubscriptionRow["told"] = [];
  for (const one of before) if (await deliverableNotification(database.read, userId, one.id)) left.push(one);
  const tags = new Set(before.map(({ tag }) => tag));
  for (const { tag } of left) tags.delete(tag);
  return tags.size > 0 ? { message: { kind: "read", tags: [...tags] }, left } : undefined;
}
