import { Challenges } from "./auth/challenges.ts";
import { GoogleSignIn } from "./auth/google.ts";
import { ProofOfWork } from "./auth/proof-of-work.ts";
import { RateLimits } from "./auth/rate-limits.ts";
import { Sessions } from "./auth/sessions.ts";
import { DraftDocuments } from "./writing/draft-document.ts";
import { EmbedCards } from "./text/embed-cards.ts";
import type { Services } from "./context.ts";
import { openFiles } from "./files/open.ts";
import { createPendingBytes } from "./http/bodies.ts";
import { jobHandlers } from "./job-handlers.ts";
import { DraftPresence } from "./live/draft-presence.ts";
import { EventDispatcher } from "./live/event-dispatcher.ts";
import { OtherServers } from "./live/other-servers.ts";
import { Presence } from "./live/presence.ts";
import { SignalCache } from "./live/signal-cache.ts";
import { Mailer } from "./mail/mailer.ts";
import { RemoteImages } from "./media/remote-images.ts";
import { SignedAddresses } from "./media/signed-addresses.ts";
import { MediaStore } from "./media/store.ts";
import { pictureQuota } from "./profiles/quotas.ts";
import { personById } from "./profiles/service.ts";
import { PushSender } from "./push/push-sender.ts";
import { resizeCaches } from "./runtime/cache.ts";
import { Temporary } from "./runtime/temporary-folders.ts";
import { discardEmptyDraft } from "./blogs/delete-blog.ts";
import { ThreadPool } from "./workers/pool.ts";
import { createReaderPool, type ReaderPool } from "./workers/reader-pool.ts";

/** About the bytes of a shared read: a list of a page, or some numbers. */
const sharedReadSize = 8_192;

/** What commands and tests set: rate limits, reachable addresses, times, and threads shared by several servers. */
export interface ServiceOptions {
  limits?: RateLimits;
  mayReach?: (address: string) => boolean;
  /** Replaces addresses of card providers. */
  replaceAddress?: (address: string) => string;
  presence?: ConstructorParameters<typeof Presence>[2];
  draftPresence?: ConstructorParameters<typeof DraftPresence>[3];
  serverTimes?: ConstructorParameters<typeof OtherServers>[2];
  /** Not closed by the server. */
  workers?: ThreadPool;
  readers?: ReaderPool;
}

/** Creates the services of the server or of a command over an open database. */
export async function createServices(
  base: Pick<Services, "config" | "database" | "bus" | "log">,
  {
    limits: ownLimits,
    mayReach,
    replaceAddress,
    presence,
    draftPresence,
    serverTimes,
    workers,
    readers,
  }: ServiceOptions = {},
): Promise<Services> {
  const { config, database, bus, log } = base;
  resizeCaches(config.cacheBytes);
  const onError = (error: unknown, what: string) => log.error({ err: error }, what);
  const servers = new OtherServers(database.servers, onError, serverTimes);
  const files = await openFiles(config, log);
  const limits = ownLimits ?? (await RateLimits.open(database, config.rateLimit));
  return {
    ...base,
    dispatcher: new EventDispatcher(database, bus, onError),
    servers,
    presence: new Presence(bus, servers, presence),
    draftPresence: new DraftPresence(
      bus,
      servers,
      (id) => personById(database.read, id),
      draftPresence,
      (blogId) =>
        void discardEmptyDraft(database, blogId).catch((error: unknown) =>
          log.error({ err: error }, "an empty draft could not be deleted"),
        ),
    ),
    sessions: new Sessions(database, {
      https: config.https,
      onError: (error) => log.error({ err: error }, "a session could not be updated"),
    }),
    limits,
    proofOfWork: new ProofOfWork(database.read, limits),
    challenges: new Challenges(database.read, limits),
    google: config.google && new GoogleSignIn(config.google, config.publicUrl),
    mailer: new Mailer(config, log),
    files,
    media: new MediaStore(files),
    pictureQuota,
    remoteImages: new RemoteImages(config.fetchPictures, mayReach),
    cards: new EmbedCards(config.fetchPictures, { limits, mayReach, replaceAddress }),
    pushes: await PushSender.open(database, config, mayReach),
    signedAddresses: new SignedAddresses(database),
    workers: workers ?? new ThreadPool(),
    readers: readers ?? createReaderPool(),
    temporary: new Temporary(config.dataDir),
    sharedReads: new SignalCache<object>(bus, () => sharedReadSize),
    drafts: new DraftDocuments(),
    bytes: createPendingBytes(),
    jobHandlers,
  };
}
