import sharp from "sharp";
import type { Page } from "@playwright/test";
import type { SignedInBrowser } from "../support/browser.ts";
import { upload } from "../support/pictures.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { cachedArticles, offlineNotice, goOffline, readUntilCached, withWorker } from "./offline-helpers.ts";
import { openPublishSheet } from "./editor-helpers.ts";
import { expect, allowErrors, logIn, test } from "./test-site.ts";

/* The service worker: articles that were read open offline, and are deleted with the session. */

/** Collects the errors thrown in a page, even those that `forgive` allows. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
}

test("shows a read article and its comments offline, and updates it once back online", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog, { text: "Who is awake?" }));
  for (const person of [undefined, ben]) {
    const page = await open(person, withWorker);
    const errors = collectErrors(page);
    await readUntilCached(page, blog.slug);
    await goOffline(page);
    await page.reload();
    await expect(offlineNotice(page)).toBeVisible();
    await expect(page.getByText("Owls, mostly.")).toBeVisible();
    await page.getByRole("button", { name: /^Comments\b/ }).click();
    await expect(page.getByText("Who is awake?")).toBeVisible();
    const text = `Said to ${person ? "Ben" : "a guest"}`;
    await ana.api.comments.create.mutate(aComment(blog, { text }));
    await page.context().setOffline(false);
    await expect(page.getByText(text)).toBeVisible();
    await expect(offlineNotice(page)).toHaveCount(0);
    expect(errors).toEqual([]);
  }
});

test("caches an article reached by a link with its cover; offline, other pages list what can be read @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const cover = await upload(ana);
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
  const page = await open(ana, withWorker);
  const errors = collectErrors(page);
  await page.goto("/home");
  await page.getByRole("link", { name: "A walk at night" }).first().click();
  await expect.poll(() => cachedArticles(page)).toEqual([`/blog/${slug}`]);
  await goOffline(page);
  await page.goto("/search");
  await expect(page.getByRole("heading", { name: "You’re offline" })).toBeVisible();
  const coverInList = page.getByRole("listitem").locator("img");
  await expect
    .poll(() => coverInList.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Retry" }).click()]);
  await page.getByRole("link", { name: "A walk at night" }).click();
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await page.getByRole("button", { name: /^Comments\b/ }).click();
  await page.getByRole("textbox", { name: "Add your comment" }).fill("From the train.");
  await page.getByRole("button", { name: "Add Comment" }).click();
  await expect(page.getByText("Will be sent")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("region", { name: "Waiting to be sent" })).toContainText("From the train.");
  await expect(page.getByRole("heading", { name: "You’re offline" })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Explore", level: 1 })).toBeVisible();
  expect(errors).toEqual([]);

  await goOffline(page);
  await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
  await page.goto(`/blog/${slug}`);
  await expect(offlineNotice(page)).toBeVisible();
  const width = () =>
    page.locator(".article-cover").evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
});

test("deletes the cached articles when a person signs out or their session ends elsewhere", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const page = await open(ana, withWorker);
  await readUntilCached(page, blog.slug);
  await page
    .getByRole("button", { name: /Ana Torres/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/signin/);
  await expect.poll(() => cachedArticles(page)).toEqual([]);

  // An ended session deletes public articles too: they show the name.
  const again = await site.createAccount("Cleo Diaz");
  const otherPage = await open(again, withWorker);
  for (const closed of [true, false]) {
    const ownBlog = await again.api.blogs.create.mutate(aBlog({ private: closed }));
    await readUntilCached(otherPage, ownBlog.slug);
  }
  await otherPage.goto("about:blank");
  await again.api.users.signOut.mutate();
  allowErrors(otherPage);
  await otherPage.goto("/home");
  await expect.poll(() => cachedArticles(otherPage)).toEqual([]);
});

test("deletes a blog that became private from the device once online @more", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const otherBlog = await ana.api.blogs.create.mutate(aBlog({ title: "By day" }));
  const page = await open(ben, withWorker);
  await readUntilCached(page, blog.slug);
  await readUntilCached(page, otherBlog.slug);
  await goOffline(page);
  await page.goto(`/blog/${blog.slug}`);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await hide(ana, blog.slug);
  await page.context().setOffline(false);
  await expect.poll(() => cachedArticles(page)).toEqual([`/blog/${otherBlog.slug}`]);
  await expect(page.getByText("Owls, mostly.")).toHaveCount(0);
});

async function hide({ api }: SignedInBrowser, slug: string): Promise<void> {
  const { id, etag } = await api.blogs.forEdit.query({ slug });
  await api.blogs.update.mutate({ id, etag, private: true });
}

test("turns what another app shares into one draft, also when signing in first @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open();
  await page.goto(
    `/add-blog?${new URLSearchParams({ title: "Night trains", text: "Worth a look", link: "https://example.org/trains" })}`,
  );
  await logIn(page, ana.email);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Night trains");
  const content = page.getByRole("textbox", { name: "Content" });
  await expect(content).toContainText("Worth a look");
  await expect(content.getByRole("link", { name: "https://example.org/trains" })).toBeVisible();
  await expect(page).toHaveURL(/\/add-blog$/);
  await openPublishSheet(page);
  await expect(page.getByRole("button", { name: "Save as draft" })).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Night trains");
  expect(await content.textContent()).toBe("Worth a lookhttps://example.org/trains");
  expect((await ana.api.blogs.unfinished.query()).blogs).toHaveLength(1);
  await openPublishSheet(page);
  await page.getByRole("checkbox", { name: "Save as draft" }).check();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page).toHaveURL(/\/blog\/night-trains/);
});

test("removes the service worker and its caches when it is switched off @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana, withWorker);
  await readUntilCached(page, blog.slug);
  await page.goto("about:blank");
  await site.kill();
  site.settings.SERVICE_WORKER = "off";
  await site.start();
  await page.goto("/home");
  const registered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(registered).toBe(0);
  expect(await cachedArticles(page)).toEqual([]);
  await page.goto(`/blog/${blog.slug}`);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  expect(await registered()).toBe(0);
});

test("installs a new release's worker without a reload loop and keeps the cached articles @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana, withWorker);
  await readUntilCached(page, blog.slug);
  await page.goto("about:blank");
  await site.kill();
  // The changed name changes the worker's script.
  site.settings.SITE_NAME = "Another";
  await site.start();
  const loads: string[] = [];
  page.on("load", () => loads.push(page.url()));
  await page.goto("/home");
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  // A page requested while one worker replaces another waits for both. Messages from pages restart the old worker while it is
  // being stopped. It would stop when idle for half a minute, but not under a debugger.
  const debug = await page.context().newCDPSession(page);
  await debug.send("ServiceWorker.enable");
  await expect
    .poll(async () => {
      const state = await page.evaluate(async () => {
        const { installing, waiting, active } = (await navigator.serviceWorker.getRegistration())!;
        return installing ? "installing" : waiting ? "waiting" : active?.state;
      });
      if (state === "waiting") await debug.send("ServiceWorker.stopAllWorkers");
      return state;
    })
    .toBe("activated");
  await goOffline(page);
  await page.goto(`/blog/${blog.slug}`);
  await expect(offlineNotice(page)).toBeVisible();
  await page.goto("/search");
  await expect(page).toHaveTitle("You’re offline · Another");
  expect(loads.filter((url) => url.endsWith("/home"))).toHaveLength(1);
});

test("serves the icons at the sizes that the manifest names @more", async ({ site }) => {
  const { icons } = (await (await fetch(`${site.url}/manifest.webmanifest`)).json()) as {
    icons: { src: string; sizes: string }[];
  };
  expect(icons).toHaveLength(3);
  for (const { src, sizes } of icons) {
    const answer = await fetch(site.url + src);
    expect(answer.headers.get("content-type")).toBe("image/png");
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
  expect((await fetch(`${site.url}/static/icons/..%2f..%2fpackage.json`)).status).toBe(404);
});

test("keeps a member's cached articles when they open the page about the API", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana, withWorker);
  await readUntilCached(page, blog.slug);
  await page.goto("/docs/api");
  await expect(page.getByRole("heading", { name: /^Blogs\b/ })).toBeVisible();
  // The worker handles navigations one after the other.
  await page.goto("/docs");
  expect(await cachedArticles(page)).toEqual([`/blog/${blog.slug}`]);
});
