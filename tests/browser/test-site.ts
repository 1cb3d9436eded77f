import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { test as base, expect } from "@playwright/test";
import type {
  Browser as Chromium,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from "@playwright/test";
import { launchOptions } from "../../scripts/browser.ts";
import {
  signUpAndSignIn,
  openBrowser,
  password,
  type Browser,
  type SignedInBrowser,
} from "../support/browser.ts";
import { createDatabaseFolder } from "../support/new-database.ts";

/** The built site as a child process on a free port with an empty data folder. */
export class TestSite {
  readonly dataDir: string;
  url = "";
  #process: ChildProcess | undefined;
  readonly #browsers: Browser[] = [];
  /** Environment variables for each start. */
  readonly settings: Record<string, string>;
  readonly #script: string[];

  constructor(
    dataDir: string,
    settings: Record<string, string> = {},
    ...script: [path: string, ...options: string[]] | []
  ) {
    this.dataDir = dataDir;
    this.settings = { ...settings };
    this.#script = script.length > 0 ? script : ["dist/current/server/main.js"];
  }

  /** Starts the server, or restarts it on the same port. */
  async start(): Promise<void> {
    const port = this.url ? new URL(this.url).port : "0";
    const environment = {
      ...process.env,
      NODE_ENV: "production",
      LOG_LEVEL: "info",
      RATE_LIMIT: "off",
      HOST: "127.0.0.1",
      PORT: port,
      DATA_DIR: this.dataDir,
      ...this.settings,
    };
    const child = spawn(process.execPath, this.#script, {
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#process = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /Server listening at (http:\/\/[^"]+)/.exec(line)?.[1];
      if (!address) continue;
      this.url = address;
      break;
    }
    child.stdout.resume();
    if (!this.url) throw new Error("The site did not start.");
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }

  /** Creates an account that acts over the API. */
  createAccount(name: string): Promise<SignedInBrowser> {
    const browser = openBrowser(this.url);
    this.#browsers.push(browser);
    return signUpAndSignIn(browser, name, path.join(this.dataDir, "outbox"));
  }

  /** Creates several accounts, one after another. */
  async createAccounts<Names extends string[]>(
    ...names: Names
  ): Promise<{ [Index in keyof Names]: SignedInBrowser }> {
    const accounts: SignedInBrowser[] = [];
    for (const name of names) accounts.push(await this.createAccount(name));
    return accounts as { [Index in keyof Names]: SignedInBrowser };
  }

  async close(): Promise<void> {
    for (const browser of this.#browsers) await browser.close();
    await this.kill("SIGTERM");
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Opens a page, signed in by the person's cookie. */
export async function openPage(
  context: BrowserContext,
  site: TestSite,
  person?: SignedInBrowser,
): Promise<Page> {
  if (person) {
    const [name = "", value = ""] = person.cookie.split("=");
    await context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: "Lax" }]);
  }
  return context.newPage();
}

/** Collects what a page must never do: log errors or warnings, throw, or fail a request. */
export function collectPageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (pagesAllowedErrors.has(page)) return;
    // Playwright logs this where a test blocks service workers.
    if (message.text().startsWith("Service Worker registration blocked")) return;
    if (message.type() === "error" || message.type() === "warning")
      errors.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => errors.push(`thrown: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (!reason.includes("ERR_ABORTED") && !pagesAllowedErrors.has(page))
      errors.push(`failed: ${request.url()} ${reason}`);
  });
  return errors;
}

const pagesAllowedErrors = new WeakSet<Page>();

/** Allows a page to log errors from now on: the test takes its server or its network away. */
export const allowErrors = (page: Page): void => void pagesAllowedErrors.add(page);

/** Waits until the page is hydrated, and its lists and fonts are loaded. */
export async function waitUntilUsable(page: Page): Promise<void> {
  await page.waitForFunction(() => !window.early);
  await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

/** Opens an address and waits until the page is usable. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitUntilUsable(page);
}

/** Opens an address and waits until the page is usable and its live connection received a message. */
export async function visitLive(page: Page, address: string): Promise<void> {
  const received = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
  await visit(page, address);
  await received;
}

/** Returns by how many pixels a part has moved. Rounding may account for less than 3. */
export async function distanceMoved(part: Locator, before: { x: number; y: number } | null): Promise<number> {
  const now = await part.boundingBox();
  if (!now || !before) return Number.NaN;
  return Math.max(Math.abs(now.x - before.x), Math.abs(now.y - before.y));
}

/** Waits until React handles events of this part: earlier clicks would be lost. */
export const waitForHydration = (part: Locator): Promise<void> =>
  expect
    .poll(() =>
      part.evaluate((element) => Object.keys(element).some((key) => key.startsWith("__reactProps"))),
    )
    .toBe(true);

/**
 * Creates a context, in another Chromium if this one does not respond: its headless shell sometimes hangs before a test has
 * requested anything (https://github.com/microsoft/playwright/issues/42692).
 */
type NewContext = (options: BrowserContextOptions) => Promise<BrowserContext>;
const contextTimeout = 60_000;

function orNullAfterTimeout<T>(promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout;
  const timeout = new Promise<null>((resolve) => (timer = setTimeout(resolve, contextTimeout, null)));
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

async function provideSite(provide: (site: TestSite) => Promise<void>): Promise<void> {
  const site = new TestSite(await createDatabaseFolder("reprise-browser-"));
  await site.start();
  await provide(site);
  await site.close();
}

/** Tests get a running site, and `open` for pages of people, each in its own context and checked for errors. */
export const test = base.extend<
  { site: TestSite; open: (person?: SignedInBrowser, options?: BrowserContextOptions) => Promise<Page> },
  { newContext: NewContext; sharedSite: TestSite }
>({
  newContext: [
    async ({ browser, playwright }, provide) => {
      const extraBrowsers: Chromium[] = [];
      await provide(async (options) => {
        const context = await orNullAfterTimeout((extraBrowsers.at(-1) ?? browser).newContext(options));
        if (context) return context;
        console.warn("Chromium does not answer: another one is started.");
        extraBrowsers.push(await playwright.chromium.launch(launchOptions()));
        return extraBrowsers.at(-1)!.newContext(options);
      });
      for (const extraBrowser of extraBrowsers) await extraBrowser.close();
    },
    { scope: "worker" },
  ],
  // Declared for all tests: Playwright ends the worker and Chromium between tests with different worker fixtures.
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  sharedSite: [async ({}, provide) => provideSite(provide), { scope: "worker" }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  site: async ({}, provide) => provideSite(provide),
  open: async ({ newContext, site }, provide) => {
    const errors: string[] = [];
    const contexts: BrowserContext[] = [];
    await provide(async (person, options) => {
      // Requests that a service worker answers bypass routes; tests of the worker allow it.
      const context = await newContext({
        baseURL: site.url,
        serviceWorkers: "block",
        ...options,
      });
      contexts.push(context);
      await context.addInitScript(() =>
        addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) =>
          console.error(
            `forbidden by the page's rules: ${violatedDirective}, ${blockedURI} in ${sourceFile}`,
          ),
        ),
      );
      const page = await openPage(context, site, person);
      const pageErrors = collectPageErrors(page);
      page.on("close", () => errors.push(...pageErrors));
      return page;
    });
    for (const context of contexts) await context.close();
    expect(errors, "no window complained").toEqual([]);
  },
});

/** The same with one site for all tests of a worker: faster, where other tests' data does not matter. */
export const sharedTest = test.extend({
  site: async ({ sharedSite }, provide) => provide(sharedSite),
});

export { expect, password };

/** Fills in the sign-in form and sends it. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
}
