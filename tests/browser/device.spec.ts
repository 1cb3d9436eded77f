import sharp from "sharp";
import type { Page } from "@playwright/test";
import type { Resident } from "../support/browser.ts";
import { upload } from "../support/pictures.ts";
import { aBlog, aComment } from "../support/writing.ts";
import { keptBy, line, pullTheNetwork, read, withWorker } from "./device.ts";
import { details } from "./editor.ts";
import { expect, forgive, logIn, test } from "./site.ts";

/* The site on a device: what was read is there without a network, and goes with whoever read it. */

/** What is thrown in a page, whatever it was forgiven. */
function thrownIn(page: Page): string[] {
  const thrown: string[] = [];
  page.on("pageerror", (error) => thrown.push(error.message));
  return thrown;
}

test("an article that was read shows without a network, with its talk, and goes on when the network is back", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog, { text: "Who is awake?" }));
  for (const person of [undefined, ben]) {
    const page = await open(person, withWorker);
    const thrown = thrownIn(page);
    await read(page, blog.slug);
    await pullTheNetwork(page);
    await page.reload();
    await expect(line(page)).toBeVisible();
    await expect(page.getByText("Owls, mostly.")).toBeVisible();
    await page.getByRole("button", { name: /^Comments\b/ }).click();
    await expect(page.getByText("Who is awake?")).toBeVisible();
    const said = `Said to ${person ? "Ben" : "a guest"}`;
    await ana.api.comments.create.mutate(aComment(blog, { text: said }));
    await page.context().setOffline(false);
    await expect(page.getByText(said)).toBeVisible();
    await expect(line(page)).toHaveCount(0);
    expect(thrown).toEqual([]);
  }
});

test("an article that is reached from another page is kept with its picture; any other page gives way to a list of what can be read @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const cover = await upload(ana);
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
  const page = await open(ana, withWorker);
  const thrown = thrownIn(page);
  await page.goto("/home");
  await page.getByRole("link", { name: "A walk at night" }).first().click();
  await expect.poll(() => keptBy(page)).toEqual([`/blog/${slug}`]);
  await pullTheNetwork(page);
  await page.goto("/search");
  await expect(page.getByRole("heading", { name: "You’re offline" })).toBeVisible();
  await page.getByRole("link", { name: "A walk at night" }).click();
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "You’re offline" })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Explore", level: 1 })).toBeVisible();
  expect(thrown).toEqual([]);

  await pullTheNetwork(page);
  await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
  await page.goto(`/blog/${slug}`);
  await expect(line(page)).toBeVisible();
  const width = () =>
    page.locator(".article-cover").evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
});

test("who signs out leaves nothing behind, nor does a session that was ended elsewhere", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const page = await open(ana, withWorker);
  await read(page, blog.slug);
  await page
    .getByRole("button", { name: /Ana Torres/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/signin/);
  await expect.poll(() => keptBy(page)).toEqual([]);

  // Nor a public article with its name.
  const again = await site.resident("Cleo Diaz");
  const other = await open(again, withWorker);
  for (const closed of [true, false]) {
    const own = await again.api.blogs.create.mutate(aBlog({ private: closed }));
    await read(other, own.slug);
  }
  await other.goto("about:blank");
  await again.api.users.signOut.mutate();
  forgive(other);
  await other.goto("/home");
  await expect.poll(() => keptBy(other)).toEqual([]);
});

test("a blog that is private now is gone from the device as soon as it is online @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const other = await ana.api.blogs.create.mutate(aBlog({ title: "By day" }));
  const page = await open(ben, withWorker);
  await read(page, blog.slug);
  await read(page, other.slug);
  await pullTheNetwork(page);
  await page.goto(`/blog/${blog.slug}`);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await hide(ana, blog.slug);
  await page.context().setOffline(false);
  await expect.poll(() => keptBy(page)).toEqual([`/blog/${other.slug}`]);
  await expect(page.getByText("Owls, mostly.")).toHaveCount(0);
});

async function hide({ api }: Resident, slug: string): Promise<void> {
  const { id, version } = await api.blogs.forEdit.query({ slug });
  await api.blogs.update.mutate({ id, version, private: true });
}

test("what another program shares begins a draft, once, also for who signs in first @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
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
  await details(page);
  await expect(page.getByRole("button", { name: "Save as draft" })).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Night trains");
  await expect(page.getByText(/unfinished blog/)).toHaveCount(0);
  expect(await content.textContent()).toBe("Worth a lookhttps://example.org/trains");
  await details(page);
  await page.getByRole("checkbox", { name: "Save as draft" }).check();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page).toHaveURL(/\/blog\/night-trains/);
});

test("a worker that is switched off takes itself away, with what it kept @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana, withWorker);
  await read(page, blog.slug);
  await page.goto("about:blank");
  await site.kill();
  site.settings.SERVICE_WORKER = "off";
  await site.start();
  await page.goto("/home");
  const registered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(registered).toBe(0);
  expect(await keptBy(page)).toEqual([]);
  await page.goto(`/blog/${blog.slug}`);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  expect(await registered()).toBe(0);
});

test("what a new release needs comes without a loop of reloads, and what was kept stays @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana, withWorker);
  await read(page, blog.slug);
  await page.goto("about:blank");
  await site.kill();
  // Its worker differs by a letter.
  site.settings.SITE_NAME = "Another";
  await site.start();
  const loads: string[] = [];
  page.on("load", () => loads.push(page.url()));
  await page.goto("/home");
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  // A page that is asked for while one worker follows the other waits for both. What a page says to the old one while it is
  // being ended has the browser begin it again; it would end it half a minute after its last word, but not under a debugger.
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
  await pullTheNetwork(page);
  await page.goto(`/blog/${blog.slug}`);
  await expect(line(page)).toBeVisible();
  await page.goto("/search");
  await expect(page).toHaveTitle("You’re offline · Another");
  expect(loads.filter((url) => url.endsWith("/home"))).toHaveLength(1);
});

test("the icons are painted at the sizes that the manifest names @more", async ({ site }) => {
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
