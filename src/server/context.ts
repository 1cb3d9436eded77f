import type { FastifyBaseLogger } from "fastify";
import type { PendingBytes } from "./http/bodies.ts";
import type { Config } from "./runtime/config.ts";
import type { Database } from "./database/connection.ts";
import type { Bus } from "./live/bus.ts";
import type { JobHandlers } from "./jobs/jobs.ts";
import type { ClientConnection } from "./live/connection-limits.ts";
import type { DraftPresence } from "./live/draft-presence.ts";
import type { OtherServers } from "./live/other-servers.ts";
import type { Presence } from "./live/presence.ts";
import type { EventDispatcher } from "./live/event-dispatcher.ts";
import type { GoogleSignIn } from "./auth/google.ts";
import type { Sessions } from "./auth/sessions.ts";
import type { Challenges } from "./auth/challenges.ts";
import type { RateLimits } from "./auth/rate-limits.ts";
import type { ProofOfWork } from "./auth/proof-of-work.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { EmbedCards } from "./text/embed-cards.ts";
import type { RemoteImages } from "./media/remote-images.ts";
import type { SignedAddresses } from "./media/signed-addresses.ts";
import type { MediaStore } from "./media/store.ts";
import type { FileStore } from "./files/store.ts";
import type { pictureQuota } from "./profiles/quotas.ts";
import type { PushSender } from "./push/push-sender.ts";
import type { Temporary } from "./runtime/temporary-folders.ts";
import type { SignalCache } from "./live/signal-cache.ts";
import type { DraftDocuments } from "./writing/draft-document.ts";
import type { ReaderPool } from "./workers/reader-pool.ts";
import type { ThreadPool } from "./workers/pool.ts";

/** The server's services, one of each per process. */
export interface Services {
  config: Config;
  database: Database;
  bus: Bus;
  dispatcher: EventDispatcher;
  presence: Presence;
  /** Who has which text open in an editor. */
  draftPresence: DraftPresence;
  servers: OtherServers;
  sessions: Sessions;
  limits: RateLimits;
  proofOfWork: ProofOfWork;
  challenges: Challenges;
  /** If configured. */
  google: GoogleSignIn | undefined;
  mailer: Mailer;
  /** The files of pictures, exports and imports. */
  files: FileStore;
  media: MediaStore;
  /** How many pictures, and how many bytes of them, an account can add. */
  pictureQuota: typeof pictureQuota;
  pushes: PushSender;
  signedAddresses: SignedAddresses;
  remoteImages: RemoteImages;
  cards: EmbedCards;
  workers: ThreadPool;
  /** Threads for slow queries. */
  readers: ReaderPool;
  temporary: Temporary;
  /** See `sharedRead`. */
  sharedReads: SignalCache<object>;
  /** Documents open in editors. */
  drafts: DraftDocuments;
  /** Bounds of pending bodies. */
  bytes: { memory: PendingBytes; disk: PendingBytes };
  jobHandlers: JobHandlers;
  log: FastifyBaseLogger;
}

/** The viewer; more is read when needed. */
export interface RequestViewer {
  id: string;
  isAdmin: boolean;
}

/** A request's viewer and services. `session` has its hash and public handle. */
export interface Context extends Services {
  viewer: RequestViewer | null;
  session: { hash: string; handle: string } | null;
  /**
   * The browser's cookies if a page of the site sent the request: the session's token, the secret of a browser that has signed
   * in, and a sealed challenge. They do not authenticate.
   */
  browser: { token: string | null; secret: string | null; begun: string | null } | null;
  address: string;
  userAgent: string;
  transport: "http" | "ws" | "local";
  /** Costly calls (`meta` in trpc.ts) in the request; null for the server's own. */
  costly: { calls: number } | null;
  /** While rendering a page: its blog's text, kept apart from the response. */
  rendered?: { text?: Buffer };
  /** For calls over a live connection. */
  connection?: ClientConnection;
  /** Imported pictures and blogs with old dates are exempt from daily limits. */
  importing?: true;
  /** Aborted when the client is gone. */
  signal?: AbortSignal | undefined;
  /** Only over HTTP. */
  setCookie: (cookie: string) => void;
}

export interface MemberContext extends Context {
  viewer: RequestViewer;
}
