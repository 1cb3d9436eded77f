import type { MailDelivery } from "../../shared/administration.ts";
import type { Services } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import type { Transaction } from "../database/writer.ts";
import type { Config } from "../runtime/config.ts";
import { isAboutRecipient, mailProblem } from "./mail-problem.ts";
import type { Mail } from "./mailer.ts";

const key = "mail.delivery";

/** When the mail server last accepted and last refused an email, and why, unless it has accepted one since. */
interface LastDelivery {
  /** Its host and port: another server may work where this one did not. */
  server: string;
  deliveredAt?: number;
  failedAt?: number;
  problem?: string;
}

/** An outcome like the last one is not stored again before. */
const freshFor = 60_000;

type Publish = (tx: Transaction) => Promise<void>;
type Tools = Pick<Services, "config" | "database" | "log" | "mailer">;

/**
 * Sends an email and stores whether the mail server accepted it; `publish` shows that in open pages. Throws what `Mailer.send`
 * throws.
 */
export async function deliver(services: Tools, mail: Mail, id: string, publish: Publish): Promise<void> {
  try {
    await services.mailer.send(mail, id);
  } catch (error) {
    if (!isAboutRecipient(error)) await storeOutcome(services, publish, error);
    throw error;
  }
  await storeOutcome(services, publish);
}

async function storeOutcome(
  { config, database, log }: Tools,
  publish: Publish,
  error?: unknown,
): Promise<void> {
  if (config.smtpUrl === undefined) return;
  const server = new URL(config.smtpUrl).host;
  const problem = error === undefined ? undefined : mailProblem(error, config.smtpUrl);
  const now = Date.now();
  const isKnown = (last: LastDelivery) =>
    last.server === server &&
    last.problem === problem &&
    now - ((problem === undefined ? last.deliveredAt : last.failedAt) ?? 0) < freshFor;
  try {
    if (isKnown(await lastDelivery(database.read))) return;
    await database.write(async (tx) => {
      const last = await lastDelivery(tx);
      const before = last.server === server ? last : { server };
      const outcome = {
        ...before,
        ...(problem === undefined ? { deliveredAt: now } : { failedAt: now }),
        problem,
      };
      await setSiteValue(tx, key, JSON.stringify(outcome satisfies LastDelivery));
      await publish(tx);
    });
  } catch (cause) {
    // A job that failed for this would send its email twice.
    log.error({ err: cause }, "the result of sending an email could not be stored");
  }
}

const lastDelivery = async (connection: Connection): Promise<LastDelivery> =>
  JSON.parse((await siteValue(connection, key)) ?? '{"server":""}') as LastDelivery;

/** Returns whether the site's emails are delivered, by the last of them. */
export async function mailDelivery(
  connection: Connection,
  { smtpUrl }: Pick<Config, "smtpUrl">,
): Promise<MailDelivery> {
  const server = smtpUrl === undefined ? null : new URL(smtpUrl).host;
  const last = await lastDelivery(connection);
  const { deliveredAt, failedAt, problem } = last.server === server ? last : ({} as Partial<LastDelivery>);
  const asDate = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());
  const tried = problem !== undefined ? "fails" : deliveredAt !== undefined ? "works" : "untried";
  return {
    state: server === null ? "kept" : tried,
    server,
    deliveredAt: asDate(deliveredAt),
    failedAt: asDate(failedAt),
    problem: problem ?? "",
  };
}
