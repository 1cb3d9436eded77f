import { rm } from "node:fs/promises";
import type { SQL } from "drizzle-orm";
import { databaseSettings, postgresRowsAtOnce } from "./postgres.ts";
import { rowsAtOnce } from "./rows-at-once.ts";
import { fileSettings } from "./s3.ts";
import { execute } from "../../src/server/database/connection.ts";
import { ConnectionStatus } from "../../src/client/api/connection-status.ts";
import { LiveConnection } from "../../src/client/live/connection/live-connection.ts";
import { createWebSocketTransport } from "../../src/client/live/connection/web-socket.ts";
import { buildApp, type App } from "../../src/server/app.ts";
import { readConfig, type Config } from "../../src/server/runtime/config.ts";
import type { Transaction } from "../../src/server/database/writer.ts";
import { ThreadPool } from "../../src/server/workers/pool.ts";
import { createReaderPool, type ReaderPool } from "../../src/server/workers/reader-pool.ts";
import type { LiveEvent, LiveMessage, TopicName } from "../../src/shared/live.ts";
import {
  mailedToken,
  mailsTo,
  signUpAndSignIn,
  openBrowser,
  type Browser,
  type MailedLink,
  type SignedInBrowser,
} from "./browser.ts";
import { createDatabaseFolder } from "./new-database.ts";
import { createSignedInAccount } from "./signed-in-account.ts";
import { until } from "./until.ts";

export { password, type Browser, type Client, type SignedInBrowser } from "./browser.ts";
export { until } from "./until.ts";
export { aBlog, aComment, documentAt, paragraphs } from "./sample-content.ts";

/** All servers of a test process share threads for documents and search, since starting them takes longer than most tests. */
let threads: { workers: ThreadPool; readers: ReaderPool } | undefined;
const sharedThreads = () => (threads ??= { workers: new ThreadPool(), readers: createReaderPool() });

/** A real server on a free port with a real SQLite file in a folder of its own, which is deleted at the end. */
export class TestSite implements AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly config: Config;
  readonly #browsers: Browser[] = [];
  readonly #ownListeners: number;

  private constructor(app: App, url: string, config: Config) {
    this.app = app;
    this.url = url;
    this.config = config;
    this.#ownListeners = app.services.bus.listeners;
  }

  /** The number of listeners on the bus besides the server's own. */
  get listeners(): number {
    return this.app.services.bus.listeners - this.#ownListeners;
  }

  static async start(
    settings: Record<string, string> = {},
    change: Partial<Config> = {},
    options: Parameters<typeof buildApp>[1] = {},
  ): Promise<TestSite> {
    const dataDir = settings.DATA_DIR ?? (await createDatabaseFolder("reprise-test-"));
    const config: Config = {
      ...readConfig({
        PORT: "0",
        LOG_LEVEL: process.env.TEST_LOG ?? "silent",
        RATE_LIMIT: "off",
        DATA_DIR: dataDir,
        ...(await databaseSettings(dataDir)),
        ...(await fileSettings(dataDir)),
        ...settings,
      }),
      setUpByLink: false,
      ...change,
    };
    const app = await buildApp(config, { ...sharedThreads(), ...options });
    const url = await app.server.listen({ host: "127.0.0.1", port: 0 });
    return new TestSite(app, url, config);
  }

  /** Returns the rows of jobs without the recurring housekeeping. */
  jobs<Row = { id: string; name: string }>(): Row[] {
    return this.rows<Row>("select * from jobs where name not like 'tidy.%' order by id");
  }

  /** Opens a browser, signed out unless a cookie is given. */
  browser(cookie = ""): Browser {
    const browser = openBrowser(this.url, cookie);
    this.#browsers.push(browser);
    return browser;
  }

  /** Stores an account that is ready to use, and signs it in. */
  createAccount = (name: string): Promise<SignedInBrowser> =>
    createSignedInAccount(this.app, this.url, this.browser(), name);

  /** Signs up, opens the emailed link and signs in as a person would: for tests of what this sends or counts. */
  signUpAndSignIn = (name: string): Promise<SignedInBrowser> =>
    signUpAndSignIn(this.browser(), name, this.config.outboxDir);

  /** Returns the token of the newest email to an address with a link of this kind. */
  mailedToken = (email: string, kind: MailedLink): Promise<string> =>
    mailedToken(this.config.outboxDir, email, kind);

  /** Returns the stored emails to an address, oldest first. */
  mailsTo = (email: string): Promise<string[]> => mailsTo(this.config.outboxDir, email);

  /** Returns the names that the site has stored `depth` levels below a folder. */
  async storedFiles(folder: "media" | "exports" | "imports", depth: number): Promise<string[]> {
    const names: string[] = [];
    for await (const entries of this.app.services.files.entries(folder, depth))
      names.push(...entries.map(({ key }) => key.slice(key.lastIndexOf("/") + 1)));
    return names.toSorted();
  }

  /** Changes the database directly, for what no procedure does. */
  write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => this.app.services.database.write(work);

  /** Runs a statement that changes the database. */
  run = (statement: string | SQL): Promise<void> => this.write(async (tx) => execute(tx, statement));

  /** Returns the rows of a statement, for what no procedure shows. */
  rows = <Row>(statement: string): Row[] => rowsOfSite<Row>(this, statement);

  async [Symbol.asyncDispose](): Promise<void> {
    for (const browser of this.#browsers) await browser.close();
    await this.app.close();
    await rm(this.config.dataDir, { recursive: true, force: true });
  }
}

export const startTestSite = (...args: Parameters<typeof TestSite.start>): Promise<TestSite> =>
  TestSite.start(...args);

/** Returns the rows of a statement in a site's database. */
export const rowsOfSite = <Row>(
  { app, config }: Pick<TestSite, "app" | "config">,
  statement: string,
): Row[] =>
  config.databaseUrl === undefined
    ? rowsAtOnce<Row>(app.services.database.read, statement)
    : postgresRowsAtOnce<Row>(config.databaseUrl, statement);

/** Returns the error of a refused call. Fails if the call succeeds. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ code: string; message: string; retryAfter?: number; field?: string }> {
  const error = await call.then(
    (value) => {
      throw new Error(`This was not refused: ${JSON.stringify(value)?.slice(0, 200)}`);
    },
    (cause: unknown) =>
      cause as { message: string; data?: { code?: string; retryAfter?: number; field?: string } },
  );
  if (!error.data?.code) throw error;
  return {
    code: error.data.code,
    message: error.message,
    retryAfter: error.data.retryAfter,
    field: error.data.field,
  };
}

/** A received event with its cursor's place. */
export interface ReceivedFrame {
  seq: number;
  id: string;
  topic: string;
  event: LiveEvent;
}

/** Queries over received frames. */
function frameQueries(frames: ReceivedFrame[]) {
  const changes = () => frames.filter(({ event }) => event.kind !== "checkpoint");
  const kinds = () =>
    changes().map(({ topic, event }) => [topic.split(":")[0], event.kind].filter(Boolean).join(" "));
  const events = <Kind extends LiveEvent["kind"]>(kind: Kind) =>
    frames.flatMap(({ event }) => (event.kind === kind ? [event as Extract<LiveEvent, { kind: Kind }>] : []));
  return {
    frames,
    /** Returns everything except checkpoints. */
    eventFrames: changes,
    /** The same as `topic kind`. */
    kinds,
    events,
    waitFor: (kind: LiveEvent["kind"], count = 1) =>
      until(() => events(kind).length >= count, `hearing ${kind} ${count} times, of ${kinds().join(", ")}`),
    /** Resolves when all events up to a cursor have arrived. */
    waitForCursor: (cursor: string) =>
      until(
        () =>
          frames.some(({ seq, event }) => event.kind === "checkpoint" && seq >= Number(cursor.split(".")[1])),
        `being at ${cursor}`,
      ),
    waitForStart: () => until(() => events("checkpoint").length > 0, "the stream's beginning"),
  };
}

const asFrame = (id: string, { topic, event }: LiveMessage): ReceivedFrame => ({
  id,
  seq: Number(id.split(".")[1]),
  topic,
  event,
});

/** Follows topics as a page does, over the official client, and stores what arrives. */
export function followTopics(browser: Browser, topics: TopicName[], since?: string) {
  const frames: ReceivedFrame[] = [];
  const state = { started: 0, ended: false, error: undefined as unknown };
  const subscription = browser.api.live.follow.subscribe(
    { topics, ...(since === undefined ? {} : { since }) },
    {
      onStarted: () => void state.started++,
      onData: ({ id, data }) => void frames.push(asFrame(id, data)),
      onError: (error) => void (state.error = error),
      onComplete: () => void (state.ended = true),
    },
  );
  return { ...frameQueries(frames), state, stop: () => subscription.unsubscribe() };
}

/** Follows one topic; its `kinds` have no topic. */
export function followTopic(browser: Browser, topic: TopicName, since?: string) {
  const subscription = followTopics(browser, [topic], since);
  return { ...subscription, kinds: () => subscription.eventFrames().map(({ event }) => event.kind) };
}

/** Follows an open blog. */
export const followBlog = (browser: Browser, blogId: string, since?: string) =>
  followTopic(browser, `blog:${blogId}`, since);

/** Follows topics over the page's own connection, which reconnects by itself and continues after its last cursor. */
export function followOverLiveConnection(browser: Browser, topics: TopicName[], since: string | undefined) {
  const frames: ReceivedFrame[] = [];
  let lastCursor = since;
  const line = new LiveConnection(
    [createWebSocketTransport(browser.Socket as unknown as typeof WebSocket, () => browser.socketUrl)],
    new ConnectionStatus(async () => true),
  );
  line.follow(() => ({ topics, since: lastCursor }), {
    onMessage({ cursor, topic, event }) {
      lastCursor = cursor;
      frames.push(asFrame(cursor, { topic, event }));
    },
    onStart: () => undefined,
    onUnauthorized: () => undefined,
  });
  return { ...frameQueries(frames), line, stop: () => line.stop() };
}
