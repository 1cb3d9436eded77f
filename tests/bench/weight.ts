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
    const weight = await visit(browser, (page) => measurePageWeight(page, address));
    const waits: Wait[] = [];
    for (let trial = 0; trial < trials; trial++)
      waits.push(await visit(browser, (page, session) => measureWait(page, session, address)));
    return [...rowsOf(weight), ...rowsOfWaits(waits)];
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
    row(`first visit of an article, in all (${parts.join(", ")})`, kilobytes(), "kB", 187),
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

async function measureWait(page: Page, session: CDPSession, address: string): Promise<Wait> {
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", slowNetwork);
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  await page.addInitScript(recordMetrics);
  await page.goto(address, { waitUntil: "networkidle" });
  const readMetrics = () => page.evaluate(() => (window as unknown as { noted: PageMetrics }).noted);
  const { paint, first: firstPaint, long: longTasks } = await readMetrics();
  for (const name of ["Like", "Comments", "Menu"])
    await page.getByRole("button", { name, exact: true }).click();
  await page.waitForLoadState("networkidle");
  const { answer } = await readMetrics();
  const blocked = longTasks
    .filter(({ start, duration }) => start + duration > firstPaint)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
  return { paint, blocked, answer };
}

/** Runs in the page before its scripts. */
function recordMetrics(): void {
  const metrics: PageMetrics = { paint: 0, first: 0, long: [], answer: 0 };
  Object.assign(window, { noted: metrics });
  const observe = (type: string, act: (entry: PerformanceEntry) => void, options: object = {}): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(act)).observe({
      type,
      buffered: true,
      ...options,
    });
  observe("largest-contentful-paint", ({ startTime }) => (metrics.paint = startTime));
  observe("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") metrics.first = startTime;
  });
  observe("longtask", ({ startTime: start, duration }) => metrics.long.push({ start, duration }));
  observe(
    "event",
    (entry) => {
      if ((entry as PerformanceEventTiming & { interactionId: number }).interactionId)
        metrics.answer = Math.max(metrics.answer, entry.duration);
    },
    { durationThreshold: 16 },
  );
}

function rowsOfWaits(waits: Wait[]): Row[] {
  const medianOf = (name: keyof Wait): number => median(waits.map((wait) => wait[name]));
  return [
    row("the same on a slow phone: largest paint", medianOf("paint"), "ms", 1_000),
    row("blocked time", medianOf("blocked"), "ms", 100),
    row("the slowest answer to a click", medianOf("answer"), "ms", 100),
  ];
}

const row = (what: string, value: number, unit: string, atMost: number): Row => ({
  title: what,
  ours: `${value.toFixed(unit === "kB" ? 1 : 0)} ${unit}`.trim(),
  bare: "",
  value,
  unit,
  target: { atMost },
});
