import type { Page } from "@playwright/test";
import { expect, forgive } from "./site.ts";

/** A window with the site's worker. */
export const withWorker = { serviceWorkers: "allow" } as const;

/** What the worker has kept, by its paths. */
export const keptBy = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of (await caches.keys()).filter((one) => one.startsWith("pages:")))
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    return paths.filter((path) => path.startsWith("/blog/")).toSorted();
  });

/** Reads an article until it is kept. */
export async function read(page: Page, slug: string): Promise<void> {
  await page.goto(`/blog/${slug}`);
  await expect.poll(() => keptBy(page)).toContain(`/blog/${slug}`);
}

export async function pullTheNetwork(page: Page): Promise<void> {
  forgive(page);
  await page.context().setOffline(true);
}

export const line = (page: Page) => page.getByText(/^You’re offline\. This page was saved at/);
