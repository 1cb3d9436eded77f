import path from "node:path";
import type { Page } from "@playwright/test";
import Sqlite from "better-sqlite3";
import { maxRows } from "../../src/client/comments/row-window.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import { slow } from "../support/until.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { waitForHydration, expect, test, visitLive, type TestSite } from "./test-site.ts";

/* The cost of typing and searching among two thousand comments. */

const threadCount = 2_000;

/** Creates a blog with this many threads, "Number 0" the oldest. Writes to the database: the API limits the rate. */
async function createManyThreads(site: TestSite) {
  const ana = await site.createAccount("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const store = new Sqlite(path.join(site.dataDir, "reprise.db"));
  const add = store.prepare(
    "insert into comments (id, blog_id, parent_id, root_id, author_id, text, created_at) values (?, ?, null, ?, ?, ?, ?)",
  );
  const ids = Array.from({ length: threadCount }, () => newId());
  store.transaction(() => {
    for (const [index, id] of ids.entries())
      add.run(
        id,
        blog.id,
        id,
        ana.me.id,
        `Number ${index}. ${"So it went on. ".repeat(1 + ((index * 7) % 20))}`,
        Date.now() - 3_600_000 + index,
      );
    store.prepare("update blogs set comments_count = ? where id = ?").run(threadCount, blog.id);
  })();
  store.close();
  return { ana, blog, ids };
}

/** Returns the CPU time of each key in milliseconds, ascending: script, style and layout. */
async function costOf(page: Page, keys: number): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpuTime = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const nextFrame = () =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  const costs: number[] = [];
  for (let key = 0; key < keys; key++) {
    const before = await cpuTime();
    await page.keyboard.press(key % 8 === 7 ? "Space" : "a");
    await nextFrame();
    costs.push((await cpuTime()) - before);
  }
  return costs.sort((one, other) => one - other);
}

test("re-renders none of two thousand comments per key, and each can be found and linked to @more", async ({
  site,
  open,
}) => {
  test.setTimeout(slow);
  const { ana, blog, ids } = await createManyThreads(site);
  const page = await open(ana);
  await page.goto(`/blog/${blog.slug}?comments=open`);
  const more = page.getByRole("button", { name: /^Show (older|[\d,]+ more) comments$/ });
  await waitForHydration(more.first());
  const box = page.getByRole("textbox", { name: "Add your comment" });
  await box.focus();
  const costsOfFew = await costOf(page, 40);
  while ((await more.count()) > 0) {
    await more.first().click();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  }
  const find = (text: string) =>
    page.evaluate(
      (searchText) => (window as unknown as { find(text: string): boolean }).find(searchText),
      text,
    );
  expect(await find("Number 0. ")).toBe(true);
  expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(6_000);
  expect(await page.locator(".comment").count()).toBeLessThanOrEqual(maxRows);
  await box.focus();
  // Rendering a comment searches its text for links, so matchAll counts renders.
  await page.evaluate(() => {
    const counters = window as unknown as { drawn: number };
    counters.drawn = 0;
    const matchAll = RegExp.prototype[Symbol.matchAll];
    Reflect.set(RegExp.prototype, Symbol.matchAll, function (this: RegExp, text: string) {
      counters.drawn++;
      return matchAll.call(this, text);
    });
  });
  const renderedRows = () => page.evaluate(() => (window as unknown as { drawn: number }).drawn);
  const costsOfMany = await costOf(page, 40);
  expect(await renderedRows()).toBe(0);
  const percentile95 = (costs: number[]) => costs[Math.floor(0.95 * costs.length)] ?? Number.NaN;
  // The bound is one frame, or on a busy machine twice the cost with few comments.
  expect(percentile95(costsOfMany)).toBeLessThan(Math.max(16, 2 * percentile95(costsOfFew)));

  // A loaded but unrendered comment is one click away; a link renders its target.
  const link = page.locator(`#comment-${ids[1_000]}`);
  await expect(link).toHaveCount(0);
  await page.evaluate((id) => (location.hash = `comment-${id}`), ids[1_000]!);
  await expect(link).toBeInViewport();
  expect(await renderedRows()).toBeGreaterThan(0);
  expect(await find("Number 990. ")).toBe(true);
  await page.getByRole("button", { name: /^Show [\d,]+ newer comments$/ }).click();
  expect(await find("Number 1100. ")).toBe(true);
});

for (const [position, top] of [
  ["at the top of the list, which is being read", 250],
  ["in the text above the list, whose top is in view", 550],
] as const)
  test(`keeps the text above a list of comments still as new ones arrive, and shows all, for a reader ${position}`, async ({
    site,
    open,
  }) => {
    const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
    const blog = await ana.api.blogs.create.mutate(
      aBlog({ document: paragraphs(...Array.from({ length: 30 }, () => "So it went on. ".repeat(20))) }),
    );
    const postComment = (text: string) => ben.api.comments.create.mutate(aComment(blog, { text }));
    for (let index = 0; index < 15; index++)
      await postComment(`Before ${index}. ${"Owls. ".repeat(index * 5)}`);
    const page = await open(undefined, { viewport: { width: 1280, height: 800 } });
    // Server-rendered comments must stay during hydration.
    await page.addInitScript(() => {
      const counts = window as unknown as { most: number; least: number };
      counts.most = 0;
      counts.least = Infinity;
      new MutationObserver(() => {
        const rows = document.querySelectorAll(".comment").length;
        counts.least = rows < counts.most ? Math.min(rows, counts.least) : (counts.most = rows);
      }).observe(document, { childList: true, subtree: true });
    });
    await visitLive(page, `/blog/${blog.slug}?comments=open`);
    const rows = page.locator(".comment");
    await expect(rows).toHaveCount(15);
    await page.evaluate((offset) => {
      const list = document.querySelector("#comment-list")!;
      window.scrollBy({ top: list.getBoundingClientRect().top - offset, behavior: "instant" });
      const movement = window as unknown as { furthest: number };
      movement.furthest = 0;
      const from = list.getBoundingClientRect().top;
      const measure = () => {
        movement.furthest = Math.max(movement.furthest, Math.abs(list.getBoundingClientRect().top - from));
        requestAnimationFrame(measure);
      };
      measure();
    }, top);
    // Counts new comments in the list and behind the button.
    const arrivedCount = () =>
      page.evaluate(
        () =>
          document.querySelectorAll(".comment").length -
          15 +
          Number.parseInt(document.querySelector(".comments-waiting button")?.textContent ?? "0", 10),
      );
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        postComment(`Meanwhile ${index + 1}. ${"So it went on. ".repeat(index * 3)}`),
      ),
    );
    await expect.poll(arrivedCount).toBe(12);
    expect(await page.evaluate(() => (window as unknown as { furthest: number }).furthest)).toBeLessThan(3);
    expect(await page.evaluate(() => (window as unknown as { least: number }).least)).toBeGreaterThanOrEqual(
      15,
    );
  });
