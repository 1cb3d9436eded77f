import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTRPCClient, createWSClient, httpBatchLink, splitLink, wsLink, type TRPCClient } from "@trpc/client";
import { WebSocket } from "ws";
import type { Viewer } from "../../src/shared/users.ts";
import { buildApp, type App } from "../../src/server/app.ts";
import { readConfig, type Config } from "../../src/server/config.ts";
import { newId } from "../../src/server/ids.ts";
import type { AppRouter } from "../../src/server/router.ts";

export type Client = TRPCClient<AppRouter>;

/** Somebody with a browser: their cookie, the official client over HTTP and WebSocket, and who they are. */
export interface Browser {
  api: Client;
  cookie: string;
  sockets: WebSocket[];
  /** Cuts every connection, as a network does. */
  cut: () => void;
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  close: () => Promise<void>;
}
export interface Resident extends Browser {
  me: Viewer;
  email: string;
}

export const password = "correct horse battery";

/** A real server on a free port over a real SQLite file in a folder of its own, gone when the test ends. */
export class Town implements AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly config: Config;
  readonly #browsers: Browser[] = [];

  private constructor(app: App, url: string, config: Config) {
    this.app = app;
    this.url = url;
    this.config = config;
  }

  static async start(settings: Record<string, string> = {}, change: Partial<Config> = {}): Promise<Town> {
    const dataDir = settings.DATA_DIR ?? (await mkdtemp(path.join(tmpdir(), "reprise-test-")));
    const config: Config = { ...readConfig({ PORT: "0", LOG_LEVEL: "silent", RATE_LIMIT: "off", DATA_DIR: dataDir, ...settings }), ...change };
    const app = await buildApp(config);
    const url = await app.server.listen({ host: "127.0.0.1", port: 0 });
    return new Town(app, url, config);
  }

  /** Somebody who is not signed in, or whose cookie is given. */
  browser(cookie = ""): Browser {
    const sockets: WebSocket[] = [];
    const origin = this.url;
    const browser = { cookie } as Browser;
    const withCookie = async (input: string | URL | Request, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has("origin")) headers.set("origin", origin);
      if (browser.cookie && !headers.has("cookie")) headers.set("cookie", browser.cookie);
      const response = await fetch(input, { ...init, headers, redirect: init.redirect ?? "manual" });
      for (const set of response.headers.getSetCookie()) browser.cookie = set.split(";")[0] ?? "";
      return response;
    };
    class Socket extends WebSocket {
      constructor(address: string) {
        super(address, { headers: { origin, ...(browser.cookie ? { cookie: browser.cookie } : {}) } });
        sockets.push(this);
      }
    }
    const socket = createWSClient({
      url: `${this.url.replace("http", "ws")}/trpc`,
      WebSocket: Socket as unknown as typeof globalThis.WebSocket,
      lazy: { enabled: true, closeMs: 0 },
      retryDelayMs: () => 20,
    });
    browser.api = createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: (operation) => operation.type === "subscription",
          true: wsLink({ client: socket }),
          false: httpBatchLink({ url: `${this.url}/trpc`, fetch: withCookie as typeof fetch }),
        }),
      ],
    });
    browser.sockets = sockets;
    browser.cut = () => {
      for (const open of sockets) open.terminate();
    };
    browser.fetch = (address, init) => withCookie(new URL(address, this.url), init);
    browser.close = async () => {
      await socket.close();
      browser.cut();
    };
    this.#browsers.push(browser);
    return browser;
  }

  /** Signs up, opens the link of the mail, signs in: as a person would. */
  async resident(name: string): Promise<Resident> {
    const browser = this.browser();
    const email = `${name.toLowerCase().replace(/[^a-z0-9]/g, "")}-${newId().slice(-6)}@example.org`;
    await browser.api.users.signUp.mutate({ name, email, password });
    await browser.api.users.verifyEmail.mutate({ token: await this.mailedToken(email, "verify-email") });
    const { viewer } = await browser.api.users.signIn.mutate({ email, password });
    return Object.assign(browser, { me: viewer, email });
  }

  /** The token of the newest mail to somebody with a link of this kind. */
  async mailedToken(email: string, kind: "verify-email" | "reset-password"): Promise<string> {
    return until(async () => {
      const mails = await this.mailsTo(email);
      return mails.map((mail) => new RegExp(`/${kind}/([\\w-]+)`).exec(mail)?.[1]).findLast(Boolean);
    });
  }

  /** The mails kept for an address, oldest first, as they would be read. */
  async mailsTo(email: string): Promise<string[]> {
    const files = (await readdir(this.config.outboxDir)).filter((file) => file.endsWith(".eml")).sort();
    const mails = await Promise.all(files.map((file) => readFile(path.join(this.config.outboxDir, file), "utf8")));
    return mails.filter((mail) => mail.includes(`To: ${email}`)).map((mail) => mail.replace(/=\r?\n/g, "").replace(/=3D/g, "="));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const browser of this.#browsers) await browser.close();
    await this.app.close();
    await rm(this.config.dataDir, { recursive: true, force: true });
  }
}

export const startTown = (settings?: Record<string, string>, change?: Partial<Config>): Promise<Town> => Town.start(settings, change);

/** Waits until the condition gives something, for at most ten seconds. */
export async function until<T>(condition: () => T | Promise<T>, what = "the condition"): Promise<NonNullable<T>> {
  const end = Date.now() + 10_000;
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<T>;
    if (Date.now() > end) throw new Error(`${what} did not come true within ten seconds`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A document of paragraphs. */
export const paragraphs = (...texts: string[]) => ({ type: "doc", content: texts.map((text) => ({ type: "paragraph", content: text ? [{ type: "text", text }] : [] })) });

/** A blog as the form would send it. */
export const aBlog = (change: Record<string, unknown> = {}) => ({ id: newId(), title: "A walk at night", description: "What one hears.", tags: ["night"], document: paragraphs("Owls, mostly."), draft: false, private: false, coverId: null, ...change });

/** A comment as the form would send it. */
export const aComment = (blog: { id: string }, change: Record<string, unknown> = {}) => ({ id: newId(), blogId: blog.id, parentId: null, text: "Lovely.", ...change });

/** Follows a blog's stream and keeps what it says. */
export function watch(browser: Browser, blogId: string, since: string | undefined) {
  const events: { id: string; event: { kind: string; [detail: string]: unknown } }[] = [];
  const state = { started: 0, ended: false, error: undefined as unknown };
  const subscription = browser.api.blogs.live.subscribe(
    { blogId, ...(since === undefined ? {} : { since }) },
    {
      onStarted: () => void state.started++,
      onData: ({ id, data }) => void events.push({ id, event: data as (typeof events)[number]["event"] }),
      onError: (error) => void (state.error = error),
      onComplete: () => void (state.ended = true),
    },
  );
  return {
    events,
    state,
    kinds: () => events.map(({ event }) => event.kind),
    heard: (kind: string, count = 1) => until(() => events.filter(({ event }) => event.kind === kind).length >= count, `hearing ${kind} ${count} times`),
    stop: () => subscription.unsubscribe(),
  };
}
