import { hash } from "node:crypto";
import { shorten } from "../../shared/document/shorten.ts";
import { notificationAddress, notificationSentence, notificationTag } from "../../shared/notifications.ts";
import type { PushMessage } from "../../shared/push.ts";
import type { Services } from "../context.ts";
import { enqueue, NonRetryableError, type JobHandler } from "../jobs/jobs.ts";
import {
  endSubscription,
  liveSubscription,
  setDisplayed,
  subscriptionsOf,
  type SubscriptionRow,
} from "../push/queries.ts";
import { deliverableNotification, deliverableUser } from "./deliverable.ts";
import type { Delivery } from "./deliveries.ts";

export const pushJob = "push";

/** A push to one browser. */
interface PushWork {
  subscription: string;
  notification: string;
}

/** Queues a push to each of a person's browsers. */
export const byPush: Delivery = {
  send: async (tx, { id, userId }, channels) => {
    if (!channels.push) return;
    for (const { id: subscription } of await subscriptionsOf(tx, userId))
      await enqueue(tx, pushJob, { subscription, notification: id } satisfies PushWork);
  },
};

/** `title` in characters; `displayed` is how many displayed notifications are remembered for each browser. */
const maximum = { title: 200, displayed: 20 };

/** Sends one push, after checking that the person can still see the notification and wants it. */
export const sendPush: JobHandler<PushWork> = {
  concurrency: 4,
  timeLimit: 30_000,
  run: async (services, { subscription: id, notification }, { signal }) => {
    const subscription = await liveSubscription(services.database.read, id, Date.now());
    if (!subscription) return;
    const due = await duePush(services, subscription, notification);
    if (!due) return;
    const { message, remaining } = due;
    const topic = hash("sha256", message.tag, "base64url").slice(0, 32);
    const sent = await services.pushes.send(subscription, message, { topic, signal });
    if (sent === "later") throw new Error("The push service is busy.");
    if (sent === "refused") throw new NonRetryableError("The push service refused it.");
    await services.database.write((tx) =>
      sent === "gone" ? endSubscription(tx, id, Date.now()) : setDisplayed(tx, id, remaining),
    );
  },
};

interface DuePush {
  message: PushMessage;
  /** What this browser displays afterwards. */
  remaining: SubscriptionRow["displayed"];
}

/**
 * Returns undefined for a person active on a page, which shows it. The push also closes what was read: browsers end subscriptions
 * that get pushes which show nothing. A tag is closed once all with it are read.
 */
async function duePush(
  { database, presence }: Services,
  { userId, displayed }: SubscriptionRow,
  id: string,
): Promise<DuePush | undefined> {
  const person = await deliverableUser(database.read, userId);
  const delivery = person && (await deliverableNotification(database.read, userId, id));
  if (!person || !delivery?.channels.push || presence.isActive(userId)) return undefined;
  const { notification } = delivery;
  const tag = notificationTag(notification);
  const remaining: SubscriptionRow["displayed"] = [];
  for (const one of displayed)
    if (one.id !== id && (await deliverableNotification(database.read, userId, one.id))) remaining.push(one);
  remaining.push({ id, tag });
  const read = new Set(displayed.map((one) => one.tag));
  for (const one of remaining) read.delete(one.tag);
  const message: PushMessage = {
    tag,
    title: shorten(notificationSentence(notification), maximum.title),
    body: notification.excerpt ?? "",
    url: notificationAddress(notification, person),
    read: [...read],
  };
  return { message, remaining: remaining.slice(-maximum.displayed) };
}
