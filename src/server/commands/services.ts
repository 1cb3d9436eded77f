import path from "node:path";
import { pino } from "pino";
import { Challenges } from "../auth/challenges.ts";
import { RateLimits } from "../auth/rate-limits.ts";
import { ProofOfWork } from "../auth/proof-of-work.ts";
import { Sessions } from "../auth/sessions.ts";
import { createPendingBytes } from "../http/bodies.ts";
import { readConfig } from "../runtime/config.ts";
import type { MemberContext, Services } from "../context.ts";
import { openForCommand } from "../database/start.ts";
import { jobHandlers } from "../job-handlers.ts";
import { Bus } from "../live/bus.ts";
import { isCrossProcess, sessionEndedTopic } from "../live/signals.ts";
import { DraftPresence } from "../live/draft-presence.ts";
import { Presence } from "../live/presence.ts";
import { EventDispatcher } from "../live/event-dispatcher.ts";
import { Mailer } from "../mail/mailer.ts";
import { EmbedCards } from "../blogs/embed-cards.ts";
import { RemoteImages } from "../media/remote-images.ts";
import { PushSender } from "../push/push-sender.ts";
import { SignedAddresses } from "../media/signed-addresses.ts";
import { MediaStore } from "../media/store.ts";
import { SignalCache } from "../live/signal-cache.ts";
import { projectRoot } from "../runtime/project-root.ts";
import { DraftDocuments } from "../blogs/draft-document.ts";
import { LimitedAccounts } from "../blocks/limited-accounts.ts";
import { Temporary } from "../runtime/temporary-folders.ts";
import { storedPublicUrl } from "../site/address-queries.ts";
import { followSiteName } from "../accounts/site-info.ts";
import { ThreadPool } from "../workers/pool.ts";
import { createReaderPool } from "../workers/reader-pool.ts";

/** Opens the services for a command: with the database migrated, no rate limits, and only errors logged. */
export async function openServicesForCommand(
  environment: Record<string, string | undefined> = process.env,
  site: "existing" | "new" = "existing",
): Promise<Services> {
  const config = readConfig(environment);
  const log = pino({ level: "error" }, pino.destination(2));
  const bus = new Bus((error) => log.error({ err: error }, "a listener failed"));
  const database = await openForCommand(
    {
      config,
      migrations: path.join(projectRoot, "migrations"),
      log,
      signal: (topics) => bus.signal(topics),
      isCrossProcess,
    },
    site,
  );
  if (!config.isPublicUrlSet) {
    config.publicUrl = (await storedPublicUrl(database.read)) ?? config.publicUrl;
    config.https = config.publicUrl.startsWith("https:");
  }
  await followSiteName({ config, database, bus, log });
  return {
    config,
    database,
    bus,
    dispatcher: new EventDispatcher(database, bus, (error, what) => log.error({ err: error }, what)),
    presence: new Presence(bus),
    draftPresence: new DraftPresence(bus, () => Promise.resolve(undefined)),
    sessions: new Sessions(database, {
      https: config.https,
      // The running server must close its connections.
      onEnd: (hash) =>
        void database
          .write(async (tx) => tx.signal(sessionEndedTopic(hash)))
          .catch((error: unknown) =>
            log.error({ err: error }, "the server does not hear that a session ended"),
          ),
      onError: (error) => log.error({ err: error }),
    }),
    limits: new RateLimits(false),
    proofOfWork: new ProofOfWork(),
    challenges: new Challenges(),
    google: undefined,
    mailer: new Mailer(config, log),
    media: new MediaStore(config.mediaDir),
    remoteImages: new RemoteImages(config.fetchPictures),
    cards: new EmbedCards(config.fetchPictures),
    pushes: await PushSender.open(database, config),
    signedAddresses: new SignedAddresses(database),
    workers: new ThreadPool(),
    readers: createReaderPool(),
    temporary: new Temporary(config.dataDir),
    sharedReads: new SignalCache<object>(bus, { maxSize: 1_000 }),
    limitedAccounts: new LimitedAccounts(database.read, bus),
    drafts: new DraftDocuments(),
    bytes: createPendingBytes(),
    jobHandlers,
    tracing: undefined,
    log,
  };
}

/** Runs `work` with the services of an existing site, or with "new" also in an empty folder, then closes them. */
export async function withServices<T>(
  work: (services: Services) => Promise<T>,
  site: "existing" | "new" = "existing",
): Promise<T> {
  const services = await openServicesForCommand(process.env, site);
  try {
    return await work(services);
  } finally {
    await services.workers.close();
    await services.readers.close();
    services.mailer.close();
    await services.database.close();
  }
}

/** Acts as a person without a session, for commands and the demo site. */
export const actingAs = (services: Services, user: { id: string; isAdmin?: boolean }): MemberContext => ({
  ...services,
  viewer: { id: user.id, isAdmin: user.isAdmin ?? false },
  session: null,
  browser: null,
  address: "local",
  userAgent: "",
  transport: "local",
  costly: null,
  setCookie: () => undefined,
});
