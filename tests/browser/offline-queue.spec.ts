import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import type { Resident } from "../support/browser.ts";
import { aBlog, aComment } from "../support/writing.ts";
import { pullTheNetwork, read, withWorker } from "./device.ts";
import { expect, forgive, sharedTest as test, windowOf } from "./site.ts";

/* What is written without a network, or to no answer, waits, and is sent once. */

const commentsButton = (page: Page) => page.getByRole("button", { name: /^Comments\b/ });
const box = (page: Page) => page.getByRole("textbox", { name: "Add your comment" });
const waits = (page: Page) => page.getByText("Will be sent when you are online");
const textsOf = async ({ api }: Resident, blogId: string) =>
  (await api.comments.list.query({ blogId })).comments.map(({ text }) => text).toSorted();

async function openTalk(page: Page): Promise<void> {
  await commentsButton(page).click();
  await expect(box(page)).toBeVisible();
}

async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await page.getByRole("button", { name: "Add Comment" }).click();
}

/** Comments arrive, but the page gets no live messages, and no answers until the returned function is called. */
async function loseAnswers(page: Page): Promise<() => void> {
  forgive(page);
  let isLost = true;
  await page.route(/comments\.create/, async (route) => {
    if (!isLost) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.routeWebSocket(/\/trpc/, () => undefined);
  return () => void (isLost = false);
}

test("a comment and a like of somebody without a network, on a page that came without one, wait and are sent once", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog, { text: "Who is awake?" }));
  const page = await open(ben, withWorker);
  await read(page, blog.slug);
  await pullTheNetwork(page);
  await page.reload();
  await openTalk(page);
  await say(page, "Said in a tunnel");
  await page
    .getByRole("article", { name: "Comment by Ana Torres" })
    .getByRole("button", { name: "Like" })
    .click();
  await expect(waits(page)).toHaveCount(1);
  // Another tab, and the first is closed: what waits is shown there, and becomes its own.
  const second = await page.context().newPage();
  await second.goto(`/blog/${blog.slug}`);
  await openTalk(second);
  await page.close();
  await expect(waits(second)).toHaveCount(1);
  await second.reload();
  await openTalk(second);
  await expect(waits(second)).toHaveCount(1);
  await second.context().setOffline(false);
  await expect(waits(second)).toHaveCount(0);
  await expect.poll(() => textsOf(ana, blog.id)).toEqual(["Said in a tunnel", "Who is awake?"]);
  const liked = async () =>
    (await ben.api.comments.list.query({ blogId: blog.id })).comments.filter((one) => one.liked).length;
  await expect.poll(liked).toBe(1);
  await expect.poll(() => second.evaluate(() => localStorage.getItem("reprise:outbox"))).toBeNull();
});

test("a comment and a reply whose answers were lost stand once, and wait until they are answered", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog, { text: "Who is awake?" }));
  const page = await open(ben);
  const sendAnswers = await loseAnswers(page);
  await page.goto(`/blog/${blog.slug}`);
  await openTalk(page);
  await say(page, "Said once");
  await expect(waits(page)).toHaveCount(1);
  await expect(box(page)).toHaveValue("");
  await page
    .getByRole("article", { name: "Comment by Ana Torres" })
    .getByRole("button", { name: "Reply" })
    .click();
  await page.getByRole("textbox", { name: "Reply" }).fill("I am");
  await page.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(waits(page)).toHaveCount(2);
  expect(await textsOf(ana, blog.id)).toEqual(["I am", "Said once", "Who is awake?"]);

  sendAnswers();
  await expect(waits(page)).toHaveCount(0);
  await expect(page.getByRole("article", { name: "Comment by Ben Oke" })).toHaveCount(2);
  expect(await textsOf(ana, blog.id)).toEqual(["I am", "Said once", "Who is awake?"]);
});

test("what is written in one tab is sent by another that was open all the while, once the first is closed @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto(`/blog/${blog.slug}`);
  await openTalk(page);
  const second = await page.context().newPage();
  await second.goto(`/home`);
  await expect(second.getByRole("heading", { name: "Blogs", exact: true })).toBeVisible();
  await pullTheNetwork(page);
  await say(page, "Said in a tunnel");
  await expect(waits(page)).toHaveCount(1);
  await page.close();
  await second.context().setOffline(false);
  await expect.poll(() => textsOf(ana, blog.id)).toEqual(["Said in a tunnel"]);
});

test("what waits can be taken back, also where it had arrived unheard @more", async ({ site, open }) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto(`/blog/${blog.slug}`);
  await openTalk(page);
  await loseAnswers(page);
  await say(page, "Said too soon");
  await expect(waits(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(waits(page)).toHaveCount(0);
  await expect(box(page)).toHaveValue("Said too soon");
  await expect.poll(() => textsOf(ana, blog.id)).toEqual([]);
});

test("what waits is never sent as somebody else, and goes when its person is back @more", async ({
  site,
  open,
}) => {
  const people = await Promise.all(["Ana Torres", "Ben Oke", "Cleo Diaz"].map((name) => site.resident(name)));
  const [ana, ben, cleo] = people as [Resident, Resident, Resident];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto(`/blog/${blog.slug}`);
  await openTalk(page);
  await pullTheNetwork(page);
  await say(page, "Said in a tunnel");
  await expect(waits(page)).toHaveCount(1);
  // The browser is somebody else's by now; this page has not heard of it.
  await windowOf(page.context(), site, cleo).then((other) => other.close());
  const refused = page.waitForResponse(/comments\.create/);
  await page.context().setOffline(false);
  expect((await refused).status()).toBe(401);
  await expect(page.getByText("You’re signed in as someone else now.")).toBeVisible();
  await expect(page.getByRole("button", { name: /Cleo Diaz/ }).first()).toBeVisible();
  expect(await textsOf(ana, blog.id)).toEqual([]);
  await windowOf(page.context(), site, ben).then((other) => other.close());
  await page.reload();
  await expect.poll(() => textsOf(ana, blog.id)).toEqual(["Said in a tunnel"]);
});

test("what waited for a blog that is gone is said, with the text", async ({ site, open }) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  // The code that keeps it comes late: nothing is to be written before it is there.
  await page.route(/\/outbox-\w+\.js/, async (route) => {
    await pause(1_000);
    await route.continue();
  });
  await page.goto(`/blog/${blog.slug}`);
  await openTalk(page);
  await pullTheNetwork(page);
  await say(page, "Said in a tunnel");
  await expect(waits(page)).toHaveCount(1);
  await page.close();
  await ana.api.blogs.remove.mutate({ id: blog.id });
  const next = await page.context().newPage();
  await next.context().setOffline(false);
  await next.goto("/home");
  await expect(next.getByText("“Said in a tunnel”")).toBeVisible();
  await expect(next.getByRole("button", { name: "Copy" })).toBeVisible();
});
