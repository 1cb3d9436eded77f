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
import { moveIn, openBrowser, password, type Browser, type Resident } from "../support/browser.ts";
import { newStore } from "../support/new-store.ts";

/** The built site as a process of its own, on a free port and over an empty folder. */
export class Site {
  readonly dataDir: string;
  url = "";
  #process: ChildProcess | undefined;
  readonly #browsers: Browser[] = [];
  /** With what it starts, the next time as well. */
  readonly settings: Record<string, string>;
  readonly #script: string;

  constructor(dataDir: string, settings: Record<string, string> = {}, script = "dist/server/main.js") {
    this.dataDir = dataDir;
    this.settings = { ...settings };
    this.#script = script;
  }

  /** Starts, or starts again on the port that it had. */
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
    const child = spawn(process.execPath, [this.#script], {
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
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Somebody with an account, who acts over the API. */
  resident(name: string): Promise<Resident> {
    const browser = openBrowser(this.url);
    this.#browsers.push(browser);
    return moveIn(browser, name, path.join(this.dataDir, "outbox"));
  }

  async close(): Promise<void> {
    for (const browser of this.#browsers) await browser.close();
    await this.kill("SIGTERM");
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A browser window of somebody, signed in by the cookie of their account. */
export async function windowOf(context: BrowserContext, site: Site, person?: Resident): Promise<Page> {
  if (person) {
    const [name = "", value = ""] = person.cookie.split("=");
    await context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: "Lax" }]);
  }
  return context.newPage();
}

/** What a page must never do: complain on the console, throw, or ask for what fails. */
export function watchForTrouble(page: Page): string[] {
  const trouble: string[] = [];
  page.on("console", (message) => {
    if (forgiven.has(page)) return;
    // What Playwright says where a test has no use for the site's worker.
    if (message.text().startsWith("Service Worker registration blocked")) return;
    if (message.type() === "error" || message.type() === "warning")
      trouble.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`thrown: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (!reason.includes("ERR_ABORTED") && !forgiven.has(page))
      trouble.push(`failed: ${request.url()} ${reason}`);
  });
  return trouble;
}

const forgiven = new WeakSet<Page>();

/** From here on the window may complain: the test takes its server or its network away. */
export const forgive = (page: Page): void => void forgiven.add(page);

/** Waits until the page can be used: React has taken it over, and its fonts and the lists that it loads are there. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => !window.early);
  await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

/** Goes to an address and waits until the page can be used. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await ready(page);
}

/** Goes to an address and waits until the page can be used and its live connection has brought something. */
export async function visitLive(page: Page, address: string): Promise<void> {
  const heard = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
  await visit(page, address);
  await heard;
}

/** Returns by how many pixels a part has moved from where its box was. Less than 3 may come of rounding. */
export async function moved(part: Locator, before: { x: number; y: number } | null): Promise<number> {
  const now = await part.boundingBox();
  if (!now || !before) return Number.NaN;
  return Math.max(Math.abs(now.x - before.x), Math.abs(now.y - before.y));
}

/** Waits until the page's script has taken this part over: what is clicked before that is lost. */
export const awake = (part: Locator): Promise<void> =>
  expect
    .poll(() =>
      part.evaluate((element) => Object.keys(element).some((key) => key.startsWith("__reactProps"))),
    )
    .toBe(true);

/**
 * Begins a context, in another Chromium where this one does not answer: its shell has been seen to stop for good before a
 * test had asked anything of the site (https://github.com/microsoft/playwright/issues/42692).
 */
type NewContext = (options: BrowserContextOptions) => Promise<BrowserContext>;
const patience = 60_000;

function answered<T>(promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, patience, null)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function provideSite(provide: (site: Site) => Promise<void>): Promise<void> {
  const site = new Site(await newStore("reprise-browser-"));
  await site.start();
  await provide(site);
  await site.close();
}

/** Tests get a running site, and `open` for windows of people: each in a context of its own, its trouble noted. */
export const test = base.extend<
  { site: Site; open: (person?: Resident, options?: BrowserContextOptions) => Promise<Page> },
  { newContext: NewContext; sharedSite: Site }
>({
  newContext: [
    async ({ browser, playwright }, provide) => {
      const others: Chromium[] = [];
      await provide(async (options) => {
        const context = await answered((others.at(-1) ?? browser).newContext(options));
        if (context) return context;
        console.warn("Chromium does not answer: another one is started.");
        others.push(await playwright.chromium.launch(launchOptions()));
        return others.at(-1)!.newContext(options);
      });
      for (const other of others) await other.close();
    },
    { scope: "worker" },
  ],
  // Declared for all tests, because Playwright ends the worker and Chromium between tests with different worker fixtures.
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  sharedSite: [async ({}, provide) => provideSite(provide), { scope: "worker" }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  site: async ({}, provide) => provideSite(provide),
  open: async ({ newContext, site }, provide) => {
    const trouble: string[] = [];
    const contexts: BrowserContext[] = [];
    await provide(async (person, options) => {
      // Requests that a worker answers pass by what tests put in their way: those about it ask for it.
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
      const page = await windowOf(context, site, person);
      const seen = watchForTrouble(page);
      page.on("close", () => trouble.push(...seen));
      return page;
    });
    for (const context of contexts) await context.close();
    expect(trouble, "no window complained").toEqual([]);
  },
});

/** The same over one site for all tests of a worker: quicker, where nobody minds that others live there too. */
export const sharedTest = test.extend({
  site: async ({ sharedSite }, provide) => provide(sharedSite),
});

export { expect, password };

/** Fills in the sign-in form that the page shows, and sends it. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
}
