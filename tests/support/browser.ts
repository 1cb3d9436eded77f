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
import { hasEnoughZeroBits, hashInput, proofOfWork } from "../../src/shared/proof-of-work.ts";
import type { Viewer } from "../../src/shared/users.ts";
import { until } from "./until.ts";

export type Client = TRPCClient<AppRouter>;

/** A person with a browser: cookies, and the official client over HTTP and WebSocket. */
export interface Browser {
  api: Client;
  /** The session's cookie. `known` is the browser's cookie from earlier sign-ins, sent with it. */
  cookie: string;
  known: string;
  /** The cookie of a sign-in that has begun. */
  begun: string;
  /** Stores a cookie that a response sets. */
  storeCookie: (setCookie: string) => void;
  sockets: WebSocket[];
  /** A socket as a page opens it to `socketUrl`. */
  Socket: new (address: string) => WebSocket;
  socketUrl: string;
  /** How many of the next connections break as soon as they are open. */
  failingConnections: number;
  /** Cuts every connection, as a network failure does. */
  cut: () => void;
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  close: () => Promise<void>;
}
export interface SignedInBrowser extends Browser {
  me: Viewer;
  email: string;
}

export const password = "correct horse battery";

/**
 * Sends the calls of one turn together at its end, without the timer of one or two milliseconds in tRPC's batch link:
 * sequential tests waited longer for the timers than for the responses.
 */
function batchPerTurn(link: TRPCLink<AppRouter>): TRPCLink<AppRouter> {
  return (runtime) => {
    const forward = link(runtime);
    return (operation) =>
      observable((observer) => {
        const timer = globalThis.setTimeout;
        globalThis.setTimeout = setImmediate as unknown as typeof timer;
        try {
          return forward(operation).subscribe(observer);
        } finally {
          globalThis.setTimeout = timer;
        }
      });
  };
}

/** Opens a browser at a site, signed out unless a cookie is given. */
export function openBrowser(url: string, cookie = ""): Browser {
  const sockets: WebSocket[] = [];
  const browser = { cookie, known: "", begun: "", failingConnections: 0 } as Browser;
  browser.storeCookie = (set) => {
    const name = /^(?:__Host-)?(browser|begun)=/.exec(set)?.[1];
    browser[name === "browser" ? "known" : name === "begun" ? "begun" : "cookie"] = set.split(";")[0] ?? "";
  };
  const cookies = () => [browser.cookie, browser.known, browser.begun].filter(Boolean).join("; ");
  const withCookie = async (input: string | URL | Request, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("origin")) headers.set("origin", url);
    if (cookies() && !headers.has("cookie")) headers.set("cookie", cookies());
    const response = await fetch(input, { ...init, headers, redirect: init.redirect ?? "manual" });
    for (const set of response.headers.getSetCookie()) browser.storeCookie(set);
    return response;
  };
  class Socket extends WebSocket {
    constructor(address: string) {
      super(address, { headers: { origin: url, ...(cookies() ? { cookie: cookies() } : {}) } });
      sockets.push(this);
      // A socket that is cut before it is open emits an error; its close event is what counts.
      this.on("error", () => undefined);
      if (browser.failingConnections-- > 0) this.once("open", () => this.terminate());
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
        false: batchPerTurn(httpBatchLink({ url: `${url}/trpc`, fetch: withCookie })),
      }),
    ],
  });
  browser.sockets = sockets;
  browser.Socket = Socket;
  browser.socketUrl = socketUrl;
  browser.cut = () => {
    for (const openSocket of sockets) openSocket.terminate();
  };
  browser.fetch = (address, init) => withCookie(new URL(address, url), init);
  browser.close = async () => {
    await socket.close();
    browser.cut();
  };
  return browser;
}

/** Solves the site's proof-of-work task, slower than a browser does. */
export function solveTask(task: string): string {
  const solutions = Array.from({ length: proofOfWork.pieces }, (_, piece) => {
    let number = 0;
    while (!hasEnoughZeroBits(hash("sha256", hashInput(task, piece, number), "buffer"))) number++;
    return number.toString(36);
  });
  return [task, ...solutions].join(":");
}

/** Signs up as the page does, with the proof of work if the site requires it. */
export async function submitSignUp(
  { api }: Browser,
  credentials: { name: string; email: string; password: string },
) {
  const { task } = await api.users.beginSignUp.mutate();
  return api.users.signUp.mutate({ ...credentials, work: task === null ? undefined : solveTask(task) });
}

/** Returns an unused email address for a name. */
export const newEmail = (name: string): string =>
  `${name.toLowerCase().replace(/[^a-z0-9]/g, "")}-${Math.random().toString(36).slice(2, 8)}@example.org`;

/** Signs up, opens the emailed link and signs in, as a person would. */
export async function signUpAndSignIn(
  browser: Browser,
  name: string,
  outbox: string,
): Promise<SignedInBrowser> {
  const email = newEmail(name);
  await submitSignUp(browser, { name, email, password });
  await browser.api.users.verifyEmail.mutate({ token: await mailedToken(outbox, email, "verify-email") });
  const { viewer } = await browser.api.users.signIn.mutate({ email, password });
  return Object.assign(browser, { me: viewer, email });
}

/** The paths of emailed links. */
export type MailedLink =
  | "verify-email"
  | "reset-password"
  | "delete-account"
  | "change-email"
  | "undo-access";

/** Returns the token of the newest email to an address with a link of this kind. */
export function mailedToken(outbox: string, email: string, kind: MailedLink): Promise<string> {
  return until(async () => {
    const emails = await mailsTo(outbox, email);
    return emails.map((message) => new RegExp(`/${kind}/([\\w-]+)`).exec(message)?.[1]).findLast(Boolean);
  }, `a mail with a ${kind} link to ${email}`);
}

/** Returns the stored emails to an address, oldest first. */
export async function mailsTo(outbox: string, email: string): Promise<string[]> {
  // The folder comes with the first email.
  const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith(".eml")).sort();
  const emails = await Promise.all(files.map((file) => readFile(path.join(outbox, file), "utf8")));
  return emails.filter((message) => message.includes(`To: ${email}`));
}
