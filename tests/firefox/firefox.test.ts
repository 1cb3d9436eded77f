import { rm } from "node:fs/promises";
import path from "node:path";
import { launch, type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installedFirefox } from "../../scripts/browser.ts";
import { mailedToken, openBrowser, password, signUpAndSignIn } from "../support/browser.ts";
import { createDatabaseFolder } from "../support/new-database.ts";
import { aComment } from "../support/sample-content.ts";
import { startServer, type ServerProcess } from "../support/server.ts";

/* What people do most, in Firefox over WebDriver BiDi; other browser tests run in Chromium. Each test needs the one before. */

let firefox: Browser;
let server: ServerProcess;
let dataDir: string;
/** The window of Dora, who signs up here, and that of a guest. */
let [dora, guest]: Page[] = [];
let blogPath: string;
const errors: string[] = [];

beforeAll(async () => {
  dataDir = await createDatabaseFolder("reprise-firefox-");
  server = await startServer({ DATA_DIR: dataDir, NODE_ENV: "production" });
  firefox = await launch({ browser: "firefox", executablePath: installedFirefox()!, headless: true });
  [dora, guest] = [await openWindow(), await openWindow()];
});

afterAll(async () => {
  await firefox?.close();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function openWindow(): Promise<Page> {
  // In a tab behind another nothing is rendered.
  const page = await (await firefox.createBrowserContext()).newPage({ type: "window" });
  await page.setViewport({ width: 1280, height: 900 });
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => errors.push(String(error)));
  return page;
}

const button = (page: Page, name: string) =>
  page.locator(`::-p-xpath(//button[starts-with(normalize-space(), "${name}") or @aria-label="${name}"])`);
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const words = (page: Page, text: string) => page.locator(`::-p-text(${text})`);
const commentsOf = (page: Page) =>
  page.$$eval(".comment .comment-text", (texts) => texts.map(({ textContent }) => textContent));

/** Opens an address of the site and waits until the page is hydrated. */
async function visit(page: Page, address: string): Promise<void> {
  await page.goto(server.url + address);
  await page.waitForFunction(() => !window.early);
}

test("signs up, confirms the mailed link and signs in", { tags: ["more"] }, async () => {
  await visit(dora!, "/signup");
  await field(dora!, "name").fill("Dora Vale");
  await field(dora!, "email").fill("dora@example.org");
  await field(dora!, "password").fill(password);
  await button(dora!, "Sign Up").click();
  await words(dora!, "Check your email").wait();
  const token = await mailedToken(path.join(dataDir, "outbox"), "dora@example.org", "verify-email");
  await visit(dora!, `/verify-email/${token}`);
  await field(dora!, "password").fill(password);
  await button(dora!, "Log In").click();
  await words(dora!, "Chess").click();
  await button(dora!, "Continue").click();
  await dora!.waitForFunction(() => location.pathname === "/home");
  await button(dora!, "Menu of Dora Vale").wait();
});

test("publishes what was written in the editor", { tags: ["more"] }, async () => {
  await visit(dora!, "/add-blog");
  await field(dora!, "title").fill("Owls of the valley");
  await dora!.locator(".ProseMirror").click();
  for (const line of ["## At dusk", "They call, and **others** answer."]) {
    await dora!.keyboard.type(line);
    await dora!.keyboard.press("Enter");
  }
  await button(dora!, "Publish…").click();
  await button(dora!, "Publish Blog").click();
  await dora!.waitForFunction(() => location.pathname.startsWith("/blog/owls-of-the-valley"));
  blogPath = new URL(dora!.url()).pathname;
  await visit(guest!, blogPath);
  const textOf = (selector: string) =>
    guest!.$eval(`.article .prose ${selector}`, (part) => part.textContent);
  expect([await textOf("h2"), await textOf("strong")]).toEqual(["At dusk", "others"]);
});

test("shows comments in both windows at once", { tags: ["more"] }, async () => {
  for (const page of [dora!, guest!]) await visit(page, `${blogPath}?comments`);
  await comment("Said in Firefox");
  await words(guest!, "Said in Firefox").wait();
  await using ben = Object.assign(openBrowser(server.url), {
    [Symbol.asyncDispose]: () => ben.close(),
  });
  await signUpAndSignIn(ben, "Ben Oke", path.join(dataDir, "outbox"));
  const { id } = await ben.api.blogs.bySlug.query({ slug: path.basename(blogPath) });
  await ben.api.comments.create.mutate(aComment({ id }, { text: "Said elsewhere" }));
  for (const page of [dora!, guest!]) await words(page, "Said elsewhere").wait();
  expect(errors, "no window complained").toEqual([]);
});

test(
  "keeps a comment while the server is away, and sends it once it is back",
  { tags: ["more"] },
  async () => {
    await server.kill();
    await comment("Said in a tunnel");
    await words(dora!, "Will be sent when you are online").wait();
    server = await startServer({ DATA_DIR: dataDir, NODE_ENV: "production", PORT: String(server.port) });
    await words(guest!, "Said in a tunnel").wait();
    await dora!.waitForFunction(() => !document.body.textContent.includes("Will be sent"));
    for (const page of [dora!, guest!])
      expect((await commentsOf(page)).filter((text) => text === "Said in a tunnel")).toHaveLength(1);
  },
);

async function comment(text: string): Promise<void> {
  await field(dora!, "text").fill(text);
  await button(dora!, "Add Comment").click();
}
