import { limits } from "../../shared/limits.ts";
import {
  notificationSentence,
  notificationAddress,
  type EmailFrequency,
  notificationKindNames,
  notificationKinds,
} from "../../shared/notifications.ts";
import type { Services } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { emails } from "../mail/email-texts.ts";
import type { Mail } from "../mail/mailer.ts";
import type { Delivery } from "./deliveries.ts";
import { emailState, storeEmailState, allChannels } from "./channel-queries.ts";
import { presentNotifications } from "./present.ts";
import { unreadBetween } from "./queries.ts";
import { zoneOf } from "../profiles/account-queries.ts";
import { deliverableUser, withoutMutedWords } from "./deliverable.ts";
import { unsubscribeAddress } from "./unsubscribe.ts";
import { localTimeAt, timeOfLocal } from "../runtime/local-time.ts";

type EmailSchedule = Exclude<EmailFrequency, "never">;

export const notificationEmailJob = "notification-email";

const day = 24 * 60 * 60 * 1000;
/** The most rows in an email, as in the site's list. */
const depth = 300;

/**
 * Returns when an email is due. `now`: at once, but some minutes after the last. `daily`, `weekly`: in the person's morning,
 * weekly on Mondays, at a minute by their id, to spread the load.
 */
export function dueAt(
  frequency: EmailSchedule,
  { id, zone }: { id: string; zone: string | null },
  sentAt: number | null,
  now: number,
): number {
  if (frequency === "now") return Math.max(now, (sentAt ?? 0) + limits.mail.emailsApart);
  const at = limits.mail.morning + minuteOf(id);
  return nextMorning(zone ?? "UTC", now, { at, monday: frequency === "weekly" });
}
const minuteOf = (userId: string) =>
  ([...userId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 60) * 60_000;

/** Queues an email unless one is queued, which will include this notification. */
export const byMail: Delivery = {
  send: async (tx, { userId, createdAt }, { mail }) => {
    if (mail !== "never") await queueEmail(tx, userId, mail, createdAt);
  },
};

async function queueEmail(
  tx: Transaction,
  userId: string,
  frequency: EmailSchedule,
  since: number,
): Promise<void> {
  const state = await emailState(tx, userId, frequency);
  // A long overdue one was lost with its job.
  if (state?.dueAt && state.dueAt > since - 2 * day) return;
  const zone = await zoneOf(tx, userId);
  const due = dueAt(frequency, { id: userId, zone }, state?.sentAt ?? null, since);
  await storeEmailState(tx, { userId, frequency, since, dueAt: due });
  await enqueue(tx, notificationEmailJob, { userId, frequency }, due);
}

/** Stored with the job. */
interface JobData {
  userId: string;
  frequency: EmailSchedule;
}

/** Sends what is still unread, checked at each attempt: a mail server may defer for hours. */
export const sendNotificationEmail: JobHandler<JobData> = {
  concurrency: 4,
  timeLimit: 120_000,
  run: async (services, { userId, frequency }, { id }) => {
    // In a write transaction: everything older is stored, and anything newer goes into the next email.
    const { mail, at } = await services.database.write(async (tx) => {
      const now = Date.now();
      return { at: now, mail: await compose(services, tx, userId, frequency, now) };
    });
    if (mail) await services.mailer.send(mail, id);
    await services.database.write((tx) => completeEmail(tx, userId, frequency, at, mail !== undefined));
  },
  onGivenUp: (services, { userId, frequency }) =>
    services.database.write((tx) => storeEmailState(tx, { userId, frequency, since: null, dueAt: null })),
};

/** Returns the email; undefined if nothing is unread or it was sent. */
async function compose(
  { config }: Services,
  tx: Connection,
  userId: string,
  frequency: EmailSchedule,
  before: number,
): Promise<Mail | undefined> {
  const since = (await emailState(tx, userId, frequency))?.since ?? null;
  const user = since === null ? undefined : await deliverableUser(tx, userId);
  if (since === null || !user) return undefined;
  const kinds = await kindsBy(tx, userId, frequency);
  const rows = await unreadBetween(tx, userId, { kinds, since, before, limit: depth });
  const notifications = presentNotifications(await withoutMutedWords(tx, userId, rows));
  if (notifications.length === 0) return undefined;
  return emails.notifications(config, user, {
    frequency,
    entries: notifications.slice(0, limits.mail.notifications).map((notification) => ({
      sentence: notificationSentence(notification),
      excerpt: notification.excerpt,
      path: notificationAddress(notification, user),
    })),
    more: Math.max(0, notifications.length - limits.mail.notifications),
    unsubscribe: await unsubscribeAddress(config, tx, userId),
  });
}

/** Returns the kinds with this email frequency. */
async function kindsBy(connection: Connection, userId: string, frequency: EmailSchedule) {
  const channels = await allChannels(connection, userId);
  return notificationKindNames.filter((kind) => {
    const { page, mail } = channels[notificationKinds[kind].topic];
    return page && mail === frequency;
  });
}

/** Marks an email as sent, and queues the next for notifications of the meantime. */
async function completeEmail(
  tx: Transaction,
  userId: string,
  frequency: EmailSchedule,
  at: number,
  sent: boolean,
): Promise<void> {
  const state = await emailState(tx, userId, frequency);
  if (!state || state.since === null) return;
  await storeEmailState(tx, { userId, frequency, since: null, dueAt: null, ...(sent ? { sentAt: at } : {}) });
  const kinds = await kindsBy(tx, userId, frequency);
  const [next] = await unreadBetween(tx, userId, {
    kinds,
    since: at,
    before: Number.MAX_SAFE_INTEGER,
    limit: 1,
  });
  if (next) await queueEmail(tx, userId, frequency, at);
}

/** Returns the next local time of `at` milliseconds past midnight, on any day or a Monday. */
function nextMorning(
  zone: string,
  now: number,
  { at, monday = false }: { at: number; monday?: boolean },
): number {
  const today = Math.floor(localTimeAt(zone, now) / day);
  // January 1, 1970 was a Thursday.
  const isMonday = (date: number) => (date + 3) % 7 === 0;
  // A zone can skip a whole day.
  for (let date = today; date < today + 16; date++) {
    const time = timeOfLocal(zone, date * day + at);
    if (time > now && (!monday || isMonday(date))) return time;
  }
  return now + day;
}
