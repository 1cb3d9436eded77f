import type { Page } from "@playwright/test";
import type { SignedInBrowser } from "../support/browser.ts";
import { createLiveBlog, postEntry } from "../support/live-blogs.ts";
import { paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { expect } from "./test-site.ts";

/** Starts a live blog with so many entries, every tenth a key moment. */
export async function startLiveBlog(owner: SignedInBrowser, count = 0) {
  const { id, slug } = await createLiveBlog(owner, {
    title: "The cup final",
    document: paragraphs("Kick-off is at eight."),
  });
  const post = (title: string, change: { isKey?: boolean } = {}) =>
    postEntry(owner, { id }, { title, document: paragraphs(`What happened in ${title}.`), ...change });
  for (let number = 1; number <= count; number++)
    await post(`Minute ${number}`, { isKey: number % 10 === 0 });
  return { id, slug, post };
}

/** Checks axe and the page's width on a desktop, a tablet and a phone; takes screenshots if PICTURES names a folder. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [820, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/${name}-${width}-${colorScheme}.png` });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}
