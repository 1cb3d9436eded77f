import { hash } from "node:crypto";
import { shorten } from "../../shared/document/shorten.ts";
import { notificationAddress, notificationSentence } from "../../shared/notification-text.ts";
import type { PushMessage } from "../../shared/push.ts";
import type { Services } from "../context.ts";
import { NonRetryableError, type JobHandler } from "../jobs/jobs.ts";
import { deliverableNotification, deliverableUser } from "../notifications/deliverable.ts";
import type { PushWork } from "./delivery.ts";
import { liveSubscription, endSubscription, setDisplayed, type SubscriptionRow } from "./queries.ts";

/** `title` in characters; `told` is how many displayed notifications are remembered for each browser. */
const most = { title: 200, told: 20 };

/** Sends one push, after checking that the person can still see the notification and wants it. */
export const sendPush: JobHandler<PushWork> = {
  concurrency: 4,
  timeLimit: 30_000,
  run: async (services, { subscription: id, notification }, { signal }) => {
    const subscription = await liveSubscription(services.database.read, id, Date.now());
    if (!subscription) return;
    const due =
      notification === undefined
        ? await readPush(services, subscription)
        : await notificationPush(services, subscription, notification);
    if (!due) return;
    const { message, left } = due;
    const topic = hash("sha256", message.kind === "notification" ? message.tag : "read", "base64url").slice(
      0,
      32,
    );
    const sent = await services.pushes.send(subscription, message, { topic, signal });
    if (sent === "later") throw new Error("The push service is busy.");
    if (sent === "refused") throw new NonRetryableError("The push service refused it.");
    await services.database.write((tx) =>
      sent === "gone" ? endSubscription(tx, id, Date.now()) : setDisplayed(tx, id, left),
    );
  },
};

interface DuePush {
  message: PushMessage;
  /** What this browser displays afterwards. */
  left: SubscriptionRow["displayed"];
}

/** Returns undefined for a person active on a page, which shows it. */
async function notificationPush(
  { database, presence }: Services,
  { userId, displayed: before }: SubscriptionRow,
  id: string,
): Promise<DuePush | undefined> {
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

/** Returns the push that closes read notifications. A tag is closed once all with it are read. */
async function readPush(
  { database }: Services,
  { userId, displayed: before }: SubscriptionRow,
): Promise<DuePush | undefined> {
  const left: SubscriptionRow["displayed"] = [];
  for (const one of before) if (await deliverableNotification(database.read, userId, one.id)) left.push(one);
  const tags = new Set(before.map(({ tag }) => tag));
  for (const { tag } of left) tags.delete(tag);
  return tags.size > 0 ? { message: { kind: "read", tags: [...tags] }, left } : undefined;
}
