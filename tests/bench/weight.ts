import type { Browser, CDPSession, Page } from "@playwright/test";
import { launch } from "../simulation/chromium.ts";
import { measurePageWeight, type Weight } from "../support/page-weight.ts";
import { median, type Row, type Site } from "./bench-site.ts";

const trials = 5;
/** A phone's viewport. */
const viewport = { width: 412, height: 823 };
/** "Slow 4G", and a processor four times slower than this one. */
const slowNetwork = {
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  offline: false,
};
const cpuSlowdown = 4;

/** What a guest's browser loads with its first article, and how long a slow phone works on it. */
export async function pageWeight(site: Site): Promise<Row[]> {
  const address = `${site.server.url}/blog/${site.blog.slug}`;
  const browser = await launch();
  try {
    // Fills the server's caches.
    await visit(browser, (page) => page.goto(address));
    const loaded = await visit(browser, (page) => measurePageWeight(page, address));
    const waits: Wait[] = [];
    for (let trial = 0; trial < trials; trial++)
      waits.push(await visit(browser, (page, session) => wait(page, session, address)));
    return [...rowsOf(loaded), ...rowsOfWaits(waits)];
  } finally {
    await browser.close();
  }
}

async function visit<T>(browser: Browser, act: (page: Page, session: CDPSession) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    return await act(page, await context.newCDPSession(page));
  } finally {
    await context.close();
  }
}

function rowsOf({ requests, kilobytes }: Weight): Row[] {
  const parts = ["css", "woff2", "js"].map((kind) => `${kind} ${kilobytes(`.${kind}`).toFixed(0)}`);
  return [
    row(`first visit of an article, in all (${parts.join(", ")})`, kilobytes(), "kB", 185),
    row("its requests", requests.length, "", 10),
    row("its JavaScript, as sent", kilobytes(".js"), "kB", 135),
  ];
}

interface Wait {
  paint: number;
  blocked: number;
  answer: number;
}

/** What the page records about itself while it loads and is used. */
interface PageMetrics {
  paint: number;
  first: number;
  long: { start: number; duration: number }[];
  answer: number;
}

async function wait(page: Page, session: CDPSession, address: string): Promise<Wait> {
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", slowNetwork);
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  await page.addInitScript(note);
  await page.goto(address, { waitUntil: "networkidle" });
  const noted = () => page.evaluate(() => (window as unknown as { noted: PageMetrics }).noted);
  const { paint, first, long } = await noted();
  for (const name of ["Like", "Comments", "Menu"])
    await page.getByRole("button", { name, exact: true }).click();
  await page.waitForLoadState("networkidle");
  const { answer } = await noted();
  const blocked = long
    .filter(({ start, duration }) => start + duration > first)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
  return { paint, blocked, answer };
}

/** Runs in the page before its scripts. */
function note(): void {
  const noted: PageMetrics = { paint: 0, first: 0, long: [], answer: 0 };
  Object.assign(window, { noted });
  const on = (type: string, act: (entry: PerformanceEntry) => void, more: object = {}): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(act)).observe({
      type,
      buffered: true,
      ...more,
    });
  on("largest-contentful-paint", ({ startTime }) => (noted.paint = startTime));
  on("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") noted.first = startTime;
  });
  on("longtask", ({ startTime: start, duration }) => noted.long.push({ start, duration }));
  on(
    "event",
    (entry) => {
      if ((entry as PerformanceEventTiming & { interactionId: number }).interactionId)
        noted.answer = Math.max(noted.answer, entry.duration);
    },
    { durationThreshold: 16 },
  );
}

function rowsOfWaits(waits: Wait[]): Row[] {
  const at = (name: keyof Wait): number => median(waits.map((one) => one[name]));
  return [
    row("the same on a slow phone: largest paint", at("paint"), "ms", 1_000),
    row("blocked time", at("blocked"), "ms", 100),
    row("the slowest answer to a click", at("answer"), "ms", 100),
  ];
}

const row = (what: string, value: number, unit: string, atMost: number): Row => ({
  what,
  ours: `${value.toFixed(unit === "kB" ? 1 : 0)} ${unit}`.trim(),
  bare: "",
  value,
  unit,
  target: { atMost },
});
