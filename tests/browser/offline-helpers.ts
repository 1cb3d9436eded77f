import type { Page } from "@playwright/test";
import { expect, allowErrors } from "./test-site.ts";

/** Context options that allow the site's service worker. */
export const withWorker = { serviceWorkers: "allow" } as const;

/** Returns the paths of the cached articles. */
export const cachedArticles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of (await caches.keys()).filter((cacheName) => cacheName.startsWith("pages:")))
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    return paths.filter((path) => path.startsWith("/blog/")).toSorted();
  });

/** Opens an article and waits until it is cached. */
export async function readUntilCached(page: Page, slug: string): Promise<void> {
  await page.goto(`/blog/${slug}`);
  await expect.poll(() => cachedArticles(page)).toContain(`/blog/${slug}`);
}

export async function goOffline(page: Page): Promise<void> {
  allowErrors(page);
  await page.context().setOffline(true);
}

export const offlineNotice = (page: Page) => page.getByText(/^You’re offline\. This page was saved at/);
