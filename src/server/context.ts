import type { FastifyBaseLogger } from "fastify";
import type { BytesUnderWay } from "./bodies.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/connection.ts";
import type { Bus } from "./live/bus.ts";
import type { JobHandlers } from "./jobs/jobs.ts";
import type { ClientConnection } from "./live/connection-limits.ts";
import type { WritingPresence } from "./live/writing-presence.ts";
import type { Presence } from "./live/presence.ts";
import type { EventDispatcher } from "./live/event-dispatcher.ts";
import type { GoogleSignIn } from "./auth/google.ts";
import type { Sessions } from "./auth/sessions.ts";
import type { Challenges } from "./auth/challenges.ts";
import type { RateLimits } from "./auth/limits.ts";
import type { Tasks } from "./auth/work.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { EmbedCards } from "./blogs/embed-cards.ts";
import type { ForeignPictures } from "./media/foreign.ts";
import type { SignedAddresses } from "./media/signed.ts";
import type { MediaStore } from "./media/store.ts";
import type { Pushes } from "./push/pushes.ts";
import type { KeptLists } from "./rest/kept-lists.ts";
import type { Temporary } from "./temporary.ts";
import type { Tracing } from "./tracing.ts";
import type { SignalCache } from "./live/signal-cache.ts";
import type { LimitedAccounts } from "./users/limited-accounts.ts";
import type { WritingDocuments } from "./blogs/writing-document.ts";
import type { Readers } from "./workers/readers.ts";
import type { Workers } from "./workers/pool.ts";

/** What the server is made of: one of each in a process. */
export interface Parts {
  config: Config;
  database: Database;
  bus: Bus;
  dispatcher: EventDispatcher;
  presence: Presence;
  /** Who has which text open in an editor. */
  writingPresence: WritingPresence;
  sessions: Sessions;
  limits: RateLimits;
  tasks: Tasks;
  challenges: Challenges;
  /** Where its credentials are set. */
  google: GoogleSignIn | undefined;
  mailer: Mailer;
  media: MediaStore;
  pushes: Pushes;
  signed: SignedAddresses;
  foreign: ForeignPictures;
  cards: EmbedCards;
  workers: Workers;
  /** For reads that take long. */
  readers: Readers;
  temporary: Temporary;
  /** Reads that several people share; see `sharedRead`. */
  sharedReads: SignalCache<object>;
  /** Who likes and saves blogs, and what is said there, as cards of the API list them. */
  lists: KeptLists;
  limitedAccounts: LimitedAccounts;
  /** Documents that are being written. */
  writings: WritingDocuments;
  /** Bodies under way, in memory and on the disk. */
  bytes: { memory: BytesUnderWay; disk: BytesUnderWay };
  /** Who does which job. */
  handlers: JobHandlers;
  /** Where a collector is named. */
  tracing: Tracing | undefined;
  log: FastifyBaseLogger;
}

/** Who asks. Everything else about them is read when it is needed. */
export interface Asker {
  id: string;
  isAdmin: boolean;
}

/** Who asks, and what with. `session` is the hash and the public handle of the session, where there is one. */
export interface Context extends Parts {
  viewer: Asker | null;
  session: { hash: string; handle: string } | null;
  /**
   * What the browser keeps from us, where a page of ours asks in it: the token of the session that it holds, the secret that it
   * is known by once it has signed in, and that of what it has begun. None says here who asks.
   */
  browser: { token: string | null; secret: string | null; begun: string | null } | null;
  address: string;
  userAgent: string;
  transport: "http" | "ws" | "local";
  /** How many costly calls (`meta` in trpc.ts) came in the request, where it is others who made it. */
  costly: { calls: number } | null;
  /** Where a page is drawn for them: the text of its blog, apart from what else is answered. */
  drawn?: { text?: Buffer };
  /** Set where the call came over a live connection. */
  connection?: ClientConnection;
  /** What is written comes from elsewhere, where it was written before: what a day has room for does not bound it. */
  importing?: true;
  /** Aborted where whoever asks has gone before the answer: work for them alone may stop. */
  signal?: AbortSignal | undefined;
  /** Sets or clears a cookie on the answer; only over HTTP. */
  setCookie: (cookie: string) => void;
}

export interface MemberContext extends Context {
  viewer: Asker;
}
