import { limits } from "../../shared/limits.ts";
import { notificationSentence, notificationAddress } from "../../shared/notification-text.ts";
import { topicOf, type EmailFrequency } from "../../shared/notifications.ts";
import { notificationKinds } from "../../shared/social.ts";
import type { Parts } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { emails } from "../mail/emails.ts";
import type { Mail } from "../mail/mailer.ts";
import type { Delivery } from "./deliveries.ts";
import { emailState, storeEmailState } from "./email-queries.ts";
import { nextMorning } from "./next-morning.ts";
import { presentNotifications } from "./present.ts";
import { unreadBetween } from "./queries.ts";
import { zoneOf } from "../users/zone-queries.ts";
import { allChannels } from "./channel-queries.ts";
import { deliverableUser, withoutMutedWords } from "./deliverable.ts";
import { unsubscribeAddress } from "./unsubscribe.ts";

type Way = Exclude<EmailFrequency, "never">;

export const notificationEmailJob = "notice-letter";

const day = 24 * 60 * 60 * 1000;
/** How many rows an email is made of at most, as the list on the site. */
const depth = 300;

/**
 * Returns when an email that is queued now is due. `now`: at once, but some minutes after the one before. `daily`, `weekly`: in the
 * morning of the person's time zone, weekly on Mondays, at a minute of their own, so that not all are due at once.
 */
export function dueAt(
  way: Way,
  { id, zone }: { id: string; zone: string | null },
  sentAt: number | null,
  now: number,
): number {
  if (way === "now") return Math.max(now, (sentAt ?? 0) + limits.mail.emailsApart);
  const at = limits.mail.morning + minuteOf(id);
  return nextMorning(zone ?? "UTC", now, { at, monday: way === "weekly" });
}
const minuteOf = (userId: string) =>
  ([...userId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 60) * 60_000;

/** Queues an email unless one is queued: what happens until it is sent is part of it. */
export const byMail: Delivery = {
  send: async (tx, { userId, createdAt }, { mail }) => {
    if (mail !== "never") await queueEmail(tx, userId, mail, createdAt);
  },
};

async function queueEmail(tx: Transaction, userId: string, way: Way, since: number): Promise<void> {
  const known = await emailState(tx, userId, way);
  // One that is long overdue was lost with its job.
  if (known?.dueAt && known.dueAt > since - 2 * day) return;
  const zone = await zoneOf(tx, userId);
  const due = dueAt(way, { id: userId, zone }, known?.sentAt ?? null, since);
  await storeEmailState(tx, { userId, way, since, dueAt: due });
  await enqueue(tx, notificationEmailJob, { userId, way }, due);
}

interface Asked {
  userId: string;
  way: Way;
}

/** Sends the notifications that are still unread. Each attempt checks them again, since a mail server may defer for hours. */
export const sendNotificationEmail: JobHandler<Asked> = {
  atOnce: 4,
  timeLimit: 120_000,
  run: async (parts, { userId, way }, { id }) => {
    // In a write: everything older than this moment is stored by then, and later notifications are part of the next email.
    const { mail, at } = await parts.database.write(async (tx) => {
      const now = Date.now();
      return { at: now, mail: await compose(parts, tx, userId, way, now) };
    });
    if (mail) await parts.mailer.send(mail, id);
    await parts.database.write((tx) => close(tx, userId, way, at, mail !== undefined));
  },
  givenUp: (parts, { userId, way }) =>
    parts.database.write((tx) => storeEmailState(tx, { userId, way, since: null, dueAt: null })),
};

/** Returns the email that is due; undefined if nothing is unread, or if it was sent already. */
async function compose(
  { config }: Parts,
  tx: Connection,
  userId: string,
  way: Way,
  before: number,
): Promise<Mail | undefined> {
  const since = (await emailState(tx, userId, way))?.since ?? null;
  const user = since === null ? undefined : await deliverableUser(tx, userId);
  if (since === null || !user) return undefined;
  const kinds = await kindsBy(tx, userId, way);
  const rows = await unreadBetween(tx, userId, { kinds, since, before, limit: depth });
  const notifications = presentNotifications(await withoutMutedWords(tx, userId, rows));
  if (notifications.length === 0) return undefined;
  return emails.notifications(config, user, {
    frequency: way,
    entries: notifications.slice(0, limits.mail.notifications).map((notification) => ({
      sentence: notificationSentence(notification),
      excerpt: notification.excerpt,
      path: notificationAddress(notification, user),
    })),
    more: Math.max(0, notifications.length - limits.mail.notifications),
    unsubscribe: await unsubscribeAddress(config, tx, userId),
  });
}

/** Returns the kinds of notifications that a person gets by emails of this frequency. */
async function kindsBy(connection: Connection, userId: string, way: Way) {
  const channels = await allChannels(connection, userId);
  return notificationKinds.filter((kind) => {
    const { page, mail } = channels[topicOf[kind]];
    return page && mail === way;
  });
}

/** Marks an email as done, and queues the next one for what happened while it was being sent. */
async function close(tx: Transaction, userId: string, way: Way, at: number, sent: boolean): Promise<void> {
  const known = await emailState(tx, userId, way);
  if (!known || known.since === null) return;
  await storeEmailState(tx, { userId, way, since: null, dueAt: null, ...(sent ? { sentAt: at } : {}) });
  const kinds = await kindsBy(tx, userId, way);
  const [later] = await unreadBetween(tx, userId, { kinds, since: at, before: Infinity, limit: 1 });
  if (later) await queueEmail(tx, userId, way, at);
}
