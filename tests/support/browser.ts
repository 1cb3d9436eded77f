import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  splitLink,
  wsLink,
  type TRPCClient,
  type TRPCLink,
} from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { WebSocket } from "ws";
import type { AppRouter } from "../../src/server/router.ts";
import { isFound, pieceOf, work } from "../../src/shared/work.ts";
import type { Viewer } from "../../src/shared/users.ts";
import { until } from "./until.ts";

export type Client = TRPCClient<AppRouter>;

/** Somebody with a browser: their cookie, the official client over HTTP and WebSocket, and who they are. */
export interface Browser {
  api: Client;
  /** The session's; what the browser is known by from its earlier sign-ins is `known`, and goes along with it. */
  cookie: string;
  known: string;
  /** What it has begun, on the way to a sign-in. */
  begun: string;
  /** Stores a cookie that a response sets. */
  keep: (setCookie: string) => void;
  sockets: WebSocket[];
  /** A socket as a page opens it, to `socketUrl`. */
  Socket: new (address: string) => WebSocket;
  socketUrl: string;
  /** How many of the next connections break as soon as they are open. */
  frail: number;
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

/**
 * What is asked in one turn goes together at its end, and not after the millisecond or two of the timer that tRPC's link sets
 * for that: tests ask one thing after the other, and waited longer for those than for the answers.
 */
function atOnce(link: TRPCLink<AppRouter>): TRPCLink<AppRouter> {
  return (runtime) => {
    const ask = link(runtime);
    return (asked) =>
      observable((observer) => {
        const timer = globalThis.setTimeout;
        globalThis.setTimeout = setImmediate as unknown as typeof timer;
        try {
          return ask(asked).subscribe(observer);
        } finally {
          globalThis.setTimeout = timer;
        }
      });
  };
}

/** A browser at a site: nobody is signed in, unless a cookie is given. */
export function openBrowser(url: string, cookie = ""): Browser {
  const sockets: WebSocket[] = [];
  const browser = { cookie, known: "", begun: "", frail: 0 } as Browser;
  browser.keep = (set) => {
    const name = /^(?:__Host-)?(browser|begun)=/.exec(set)?.[1];
    browser[name === "browser" ? "known" : name === "begun" ? "begun" : "cookie"] = set.split(";")[0] ?? "";
  };
  const cookies = () => [browser.cookie, browser.known, browser.begun].filter(Boolean).join("; ");
  const withCookie = async (input: string | URL | Request, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("origin")) headers.set("origin", url);
    if (cookies() && !headers.has("cookie")) headers.set("cookie", cookies());
    const response = await fetch(input, { ...init, headers, redirect: init.redirect ?? "manual" });
    for (const set of response.headers.getSetCookie()) browser.keep(set);
    return response;
  };
  class Socket extends WebSocket {
    constructor(address: string) {
      super(address, { headers: { origin: url, ...(cookies() ? { cookie: cookies() } : {}) } });
      sockets.push(this);
      // One that is cut before it is open says so; its close is what counts.
      this.on("error", () => undefined);
      if (browser.frail-- > 0) this.once("open", () => this.terminate());
    }
  }
  const socketUrl = `${url.replace("http", "ws")}/trpc`;
  const socket = createWSClient({
    url: socketUrl,
    WebSocket: Socket as unknown as typeof globalThis.WebSocket,
    lazy: { enabled: true, closeMs: 0 },
    retryDelayMs: () => 20,
  });
  browser.api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: wsLink({ client: socket }),
        false: atOnce(httpBatchLink({ url: `${url}/trpc`, fetch: withCookie })),
      }),
    ],
  });
  browser.sockets = sockets;
  browser.Socket = Socket;
  browser.socketUrl = socketUrl;
  browser.cut = () => {
    for (const open of sockets) open.terminate();
  };
  browser.fetch = (address, init) => withCookie(new URL(address, url), init);
  browser.close = async () => {
    await socket.close();
    browser.cut();
  };
  return browser;
}

/** Does the site's task, slower than a browser does. */
export function doTask(task: string): string {
  const found = Array.from({ length: work.pieces }, (_, piece) => {
    let number = 0;
    while (!isFound(hash("sha256", pieceOf(task, piece, number), "buffer"))) number++;
    return number.toString(36);
  });
  return [task, ...found].join(":");
}

/** Signs up as the page does, with what it computes meanwhile where the site asks for it. */
export async function signUpIn({ api }: Browser, given: { name: string; email: string; password: string }) {
  const { task } = await api.users.beginSignUp.mutate();
  return api.users.signUp.mutate({ ...given, work: task === null ? undefined : doTask(task) });
}

/** Returns an unused email address for a name. */
export const newEmail = (name: string): string =>
  `${name.toLowerCase().replace(/[^a-z0-9]/g, "")}-${Math.random().toString(36).slice(2, 8)}@example.org`;

/** Signs up, opens the link of the mail, signs in: as a person would. */
export async function moveIn(browser: Browser, name: string, outbox: string): Promise<Resident> {
  const email = newEmail(name);
  await signUpIn(browser, { name, email, password });
  await browser.api.users.verifyEmail.mutate({ token: await mailedToken(outbox, email, "verify-email") });
  const { viewer } = await browser.api.users.signIn.mutate({ email, password });
  return Object.assign(browser, { me: viewer, email });
}

/** Where links of mails lead. */
export type MailedLink =
  | "verify-email"
  | "reset-password"
  | "delete-account"
  | "change-email"
  | "undo-access";

/** The token of the newest mail to somebody with a link of this kind. */
export function mailedToken(outbox: string, email: string, kind: MailedLink): Promise<string> {
  return until(async () => {
    const mails = await mailsTo(outbox, email);
    return mails.map((mail) => new RegExp(`/${kind}/([\\w-]+)`).exec(mail)?.[1]).findLast(Boolean);
  }, `a mail with a ${kind} link to ${email}`);
}

/** The mails kept for an address, oldest first, as they would be read. */
export async function mailsTo(outbox: string, email: string): Promise<string[]> {
  const files = (await readdir(outbox)).filter((file) => file.endsWith(".eml")).sort();
  const mails = await Promise.all(files.map((file) => readFile(path.join(outbox, file), "utf8")));
  return mails.filter((mail) => mail.includes(`To: ${email}`));
}
