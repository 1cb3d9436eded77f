import type { RateRule } from "../auth/limits.ts";
import type { Transaction } from "../database/writer.ts";
import { deleteMailsTo, enqueue, Hopeless, type JobHandler } from "../jobs/jobs.ts";
import type { Mail } from "./mailer.ts";

export const mailJob = "mail";

/** What a mail counts as. */
export interface Counted {
  rule: RateRule;
  key: string;
}

/** A mail that waits to be sent. Its text holds a link that opens an account: it goes with the row, or when the mail is given up. */
interface Posted {
  mail?: { to: string; subject: string; text?: string };
  counted?: Counted[];
}

/**
 * Has a mail sent after the commit, for a day where it does not go out at once. `counted` is given back to its limit where
 * it never does.
 */
export async function post(tx: Transaction, mail: Mail, counted?: Counted[]): Promise<void> {
  await enqueue(tx, mailJob, { mail, counted } satisfies Posted);
}

/** Does as much as `post` and sends nothing, so that the time of an answer does not tell whether there was a mail. */
export async function postNothing(tx: Transaction): Promise<void> {
  await enqueue(tx, mailJob, {} satisfies Posted);
}

/** Deletes the mails to an address, both waiting and failed. */
export const deletePosted = (tx: Transaction, to: string): Promise<void> => deleteMailsTo(tx, mailJob, to);

export const sendMail: JobHandler<Posted> = {
  atOnce: 4,
  timeLimit: 120_000,
  run: async (parts, { mail }, work) => {
    if (!mail) return;
    const { text } = mail;
    if (text === undefined) throw new Hopeless("What this mail said is not kept.");
    await parts.mailer.send({ ...mail, text }, work.id);
  },
  kept: ({ mail }) => ({ mail: mail && { to: mail.to, subject: mail.subject } }),
  givenUp: async (parts, { counted }) => {
    for (const { rule, key } of counted ?? []) await parts.limits.giveBack(rule, key);
  },
};
