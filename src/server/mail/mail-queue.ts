import type { RateRule } from "../auth/rate-limits.ts";
import type { Transaction } from "../database/writer.ts";
import { deleteMailsTo, enqueue, NonRetryableError, type JobHandler } from "../jobs/jobs.ts";
import { deliver } from "./delivery.ts";
import type { Mail } from "./mailer.ts";

export const mailJob = "mail";

/** Rate limit points that an email used. */
export interface RateCharge {
  rule: RateRule;
  key: string;
}

/** A queued email. Its text has a link that opens an account, so it is deleted once sent or given up. */
interface QueuedMail {
  mail?: { to: string; subject: string; text?: string };
  counted?: RateCharge[];
}

/** Queues an email, sent after the commit and retried for a day. If it is never sent, `counted` is given back. */
export async function queueMail(tx: Transaction, mail: Mail, counted?: RateCharge[]): Promise<void> {
  await enqueue(tx, mailJob, { mail, counted } satisfies QueuedMail);
}

/** Does the same work without sending, so that the response time reveals nothing. */
export async function queueNoMail(tx: Transaction): Promise<void> {
  await enqueue(tx, mailJob, {} satisfies QueuedMail);
}

/** Deletes queued and failed emails to an address. */
export const deleteQueuedMails = (tx: Transaction, to: string): Promise<void> =>
  deleteMailsTo(tx, mailJob, to);

/** `publish` shows in open pages whether emails arrive. */
export const sendMail = (publish: (tx: Transaction) => Promise<void>): JobHandler<QueuedMail> => ({
  concurrency: 4,
  timeLimit: 120_000,
  run: async (services, { mail }, work) => {
    if (!mail) return;
    const { text } = mail;
    if (text === undefined) throw new NonRetryableError("What this mail said is not kept.");
    await deliver(services, { ...mail, text }, work.id, publish);
  },
  failedPayload: ({ mail }) => ({ mail: mail && { to: mail.to, subject: mail.subject } }),
  onGivenUp: async (services, { counted }) => {
    for (const { rule, key } of counted ?? []) await services.limits.refund(rule, key);
  },
});
