import path from "node:path";
import { pino } from "pino";
import { Challenges } from "../auth/challenges.ts";
import { RateLimits } from "../auth/limits.ts";
import { Tasks } from "../auth/work.ts";
import { Sessions } from "../auth/sessions.ts";
import { bytesUnderWay } from "../bodies.ts";
import { readConfig } from "../config.ts";
import type { MemberContext, Parts } from "../context.ts";
import { openForCommand } from "../database/start.ts";
import { jobHandlers } from "../job-handlers.ts";
import { Bus } from "../live/bus.ts";
import { isCrossProcess, sessionEndedTopic } from "../live/signals.ts";
import { WritingPresence } from "../live/writing-presence.ts";
import { Presence } from "../live/presence.ts";
import { EventDispatcher } from "../live/event-dispatcher.ts";
import { Mailer } from "../mail/mailer.ts";
import { EmbedCards } from "../blogs/embed-cards.ts";
import { ForeignPictures } from "../media/foreign.ts";
import { Pushes } from "../push/pushes.ts";
import { SignedAddresses } from "../media/signed.ts";
import { MediaStore } from "../media/store.ts";
import { SignalCache } from "../live/signal-cache.ts";
import { projectRoot } from "../project-root.ts";
import { KeptLists } from "../rest/kept-lists.ts";
import { WritingDocuments } from "../blogs/writing-document.ts";
import { LimitedAccounts } from "../users/limited-accounts.ts";
import { Temporary } from "../temporary.ts";
import { followSiteName } from "../users/site.ts";
import { Workers } from "../workers/pool.ts";
import { openReaders } from "../workers/readers.ts";

/** The server's parts without the server, for a command: the store migrated, no limits, logs only of what goes wrong. */
export async function openPartsForCommand(
  environment: Record<string, string | undefined> = process.env,
): Promise<Parts> {
  const config = readConfig(environment);
  const log = pino({ level: "error" }, pino.destination(2));
  const bus = new Bus((error) => log.error({ err: error }, "a listener failed"));
  const database = await openForCommand({
    config,
    migrations: path.join(projectRoot, "migrations"),
    log,
    signal: (topics) => bus.signal(topics),
    isCrossProcess,
  });
  await followSiteName({ config, database, bus, log });
  return {
    config,
    database,
    bus,
    dispatcher: new EventDispatcher(database, bus, (error, what) => log.error({ err: error }, what)),
    presence: new Presence(bus),
    writingPresence: new WritingPresence(bus, () => Promise.resolve(undefined)),
    sessions: new Sessions(database, {
      https: config.https,
      // The server has its pages open.
      onEnd: (hash) =>
        void database
          .write(async (tx) => tx.signal(sessionEndedTopic(hash)))
          .catch((error: unknown) =>
            log.error({ err: error }, "the server does not hear that a session ended"),
          ),
      onError: (error) => log.error({ err: error }),
    }),
    limits: new RateLimits(false),
    tasks: new Tasks(),
    challenges: new Challenges(),
    google: undefined,
    mailer: new Mailer(config, log),
    media: new MediaStore(config.mediaDir),
    foreign: new ForeignPictures(config.fetchPictures),
    cards: new EmbedCards(config.fetchPictures),
    pushes: await Pushes.open(database, config),
    signed: new SignedAddresses(database),
    workers: new Workers(),
    readers: openReaders(),
    temporary: new Temporary(config.dataDir),
    sharedReads: new SignalCache<object>(bus, { maxSize: 1_000 }),
    lists: new KeptLists(bus),
    limitedAccounts: new LimitedAccounts(database.read, bus),
    writings: new WritingDocuments(),
    bytes: bytesUnderWay(),
    handlers: jobHandlers,
    tracing: undefined,
    log,
  };
}

/** Does something with the parts, and closes them. */
export async function withParts<T>(work: (parts: Parts) => Promise<T>): Promise<T> {
  const parts = await openPartsForCommand();
  try {
    return await work(parts);
  } finally {
    await parts.workers.close();
    await parts.readers.close();
    parts.mailer.close();
    await parts.database.close();
  }
}

/** Acts as somebody, without a session: what the command line and the demo town do. */
export const actingAs = (parts: Parts, user: { id: string; isAdmin?: boolean }): MemberContext => ({
  ...parts,
  viewer: { id: user.id, isAdmin: user.isAdmin ?? false },
  session: null,
  browser: null,
  address: "local",
  userAgent: "",
  transport: "local",
  costly: null,
  setCookie: () => undefined,
});
