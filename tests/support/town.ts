import { rm } from "node:fs/promises";
import { ConnectionStatus } from "../../src/client/api/connection-status.ts";
import { LiveConnection } from "../../src/client/live/connection/live-connection.ts";
import { createWebSocketTransport } from "../../src/client/live/connection/web-socket.ts";
import { buildApp, type App } from "../../src/server/app.ts";
import { readConfig, type Config } from "../../src/server/config.ts";
import type { Transaction } from "../../src/server/database/writer.ts";
import { Workers } from "../../src/server/workers/pool.ts";
import { openReaders, type Readers } from "../../src/server/workers/readers.ts";
import type { LiveEvent, LiveMessage, TopicName } from "../../src/shared/live.ts";
import {
  mailedToken,
  mailsTo,
  moveIn,
  openBrowser,
  type Browser,
  type MailedLink,
  type Resident,
} from "./browser.ts";
import { newStore } from "./new-store.ts";
import { makeResident } from "./residents.ts";
import { until } from "./until.ts";

export { password, type Browser, type Client, type Resident } from "./browser.ts";
export { until } from "./until.ts";
export { aBlog, aComment, documentAt, paragraphs } from "./writing.ts";

/** All servers of a test process read documents and search in the same threads: starting one takes longer than most tests. */
let threads: { workers: Workers; readers: Readers } | undefined;
const sharedThreads = () => (threads ??= { workers: new Workers(), readers: openReaders() });

/** A real server on a free port over a real SQLite file in a folder of its own, gone when the test ends. */
export class Town implements AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly config: Config;
  readonly #browsers: Browser[] = [];
  readonly #ownListeners: number;

  private constructor(app: App, url: string, config: Config) {
    this.app = app;
    this.url = url;
    this.config = config;
    this.#ownListeners = app.parts.bus.listeners;
  }

  /** How many listen on the bus, the server's own parts aside. */
  get listeners(): number {
    return this.app.parts.bus.listeners - this.#ownListeners;
  }

  static async start(
    settings: Record<string, string> = {},
    change: Partial<Config> = {},
    options: Parameters<typeof buildApp>[1] = {},
  ): Promise<Town> {
    const dataDir = settings.DATA_DIR ?? (await newStore("reprise-test-"));
    const config: Config = {
      ...readConfig({ PORT: "0", LOG_LEVEL: "silent", RATE_LIMIT: "off", DATA_DIR: dataDir, ...settings }),
      ...change,
    };
    const app = await buildApp(config, { ...sharedThreads(), ...options });
    const url = await app.server.listen({ host: "127.0.0.1", port: 0 });
    return new Town(app, url, config);
  }

  /** Rows of jobs, without the recurring housekeeping. */
  jobs<Row = { id: string; name: string }>(): Row[] {
    return this.rows<Row>("select * from jobs where name not like 'tidy.%' order by id");
  }

  /** Somebody who is not signed in, or whose cookie is given. */
  browser(cookie = ""): Browser {
    const browser = openBrowser(this.url, cookie);
    this.#browsers.push(browser);
    return browser;
  }

  /** Stores an account that is ready to use, and signs it in. */
  resident = (name: string): Promise<Resident> => makeResident(this.app, this.url, this.browser(), name);

  /** Signs up, opens the link of the email, signs in as a person would: for tests that look at what this sends or counts. */
  moveIn = (name: string): Promise<Resident> => moveIn(this.browser(), name, this.config.outboxDir);

  /** The token of the newest mail to somebody with a link of this kind. */
  mailedToken = (email: string, kind: MailedLink): Promise<string> =>
    mailedToken(this.config.outboxDir, email, kind);

  /** The mails kept for an address, oldest first, as they would be read. */
  mailsTo = (email: string): Promise<string[]> => mailsTo(this.config.outboxDir, email);

  /** Changes the store past the rules, for what no procedure does. */
  write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => this.app.parts.database.write(work);

  /** Rows of a statement, for what no procedure shows. */
  rows = <Row>(statement: string): Row[] => this.app.parts.database.read.drizzle.all<Row>(statement);

  async [Symbol.asyncDispose](): Promise<void> {
    for (const browser of this.#browsers) await browser.close();
    await this.app.close();
    await rm(this.config.dataDir, { recursive: true, force: true });
  }
}

export const startTown = (...how: Parameters<typeof Town.start>): Promise<Town> => Town.start(...how);

/** What a call is refused with: its code, and its message. Fails where it is not refused. */
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

/** What a page hears, in order: `topic kind`, with what the place of a cursor is. */
export interface HeardFrame {
  seq: number;
  id: string;
  topic: string;
  event: LiveEvent;
}

/** What is kept of frames, and said of them. */
function hearing(frames: HeardFrame[]) {
  const told = () => frames.filter(({ event }) => event.kind !== "checkpoint");
  const kinds = () =>
    told().map(({ topic, event }) => [topic.split(":")[0], event.kind].filter(Boolean).join(" "));
  const events = <Kind extends LiveEvent["kind"]>(kind: Kind) =>
    frames.flatMap(({ event }) => (event.kind === kind ? [event as Extract<LiveEvent, { kind: Kind }>] : []));
  return {
    frames,
    /** What was said beside `at`. */
    told,
    /** The same, as `topic kind`. */
    kinds,
    events,
    heard: (kind: LiveEvent["kind"], count = 1) =>
      until(() => events(kind).length >= count, `hearing ${kind} ${count} times, of ${kinds().join(", ")}`),
    /** Has been told all that happened up to a cursor. */
    at: (cursor: string) =>
      until(
        () =>
          frames.some(({ seq, event }) => event.kind === "checkpoint" && seq >= Number(cursor.split(".")[1])),
        `being at ${cursor}`,
      ),
    live: () => until(() => events("checkpoint").length > 0, "the stream's beginning"),
  };
}

const asFrame = (id: string, { topic, event }: LiveMessage): HeardFrame => ({
  id,
  seq: Number(id.split(".")[1]),
  topic,
  event,
});

/** Follows topics as a page does, over the official client, and keeps what it is told. */
export function followTopics(browser: Browser, topics: TopicName[], since?: string) {
  const frames: HeardFrame[] = [];
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
  return { ...hearing(frames), state, stop: () => subscription.unsubscribe() };
}

/** Follows one topic, and keeps what is said of it: its kinds need no topic. */
export function listen(browser: Browser, topic: TopicName, since?: string) {
  const heard = followTopics(browser, [topic], since);
  return { ...heard, kinds: () => heard.told().map(({ event }) => event.kind) };
}

/** Follows an open blog. */
export const watch = (browser: Browser, blogId: string, since?: string) =>
  listen(browser, `blog:${blogId}`, since);

/** Follows topics over the page's own line, which goes on by itself after each loss from behind what came. */
export function read(browser: Browser, topics: TopicName[], since: string | undefined) {
  const frames: HeardFrame[] = [];
  let at = since;
  const line = new LiveConnection(
    [createWebSocketTransport(browser.Socket as unknown as typeof WebSocket, () => browser.socketUrl)],
    new ConnectionStatus(async () => true),
    { get: () => 0, set: () => undefined },
  );
  line.follow(() => ({ topics, since: at }), {
    onMessage({ cursor, topic, event }) {
      at = cursor;
      frames.push(asFrame(cursor, { topic, event }));
    },
    onUnauthorized: () => undefined,
  });
  return { ...hearing(frames), line, stop: () => line.stop() };
}
