import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import type { SignedInBrowser } from "../support/browser.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { goOffline, readUntilCached, withWorker } from "./offline-helpers.ts";
import { expect, allowErrors, sharedTest as test, openPage } from "./test-site.ts";

/* Comments and likes written offline, or whose response was lost, are queued and sent once. */

const commentsButton = (page: Page) => page.getByRole("button", { name: /^Comments\b/ });
const box = (page: Page) => page.getByRole("textbox", { name: "Add your comment" });
const unsentLabel = (page: Page) => page.getByText("Will be sent when you are online");
const textsOf = async ({ api }: SignedInBrowser, blogId: string) =>
  (await api.comments.list.query({ blogId })).comments.map(({ text }) => text).toSorted();

async function openCommentSection(page: Page): Promise<void> {
  await commentsButton(page).click();
  await expect(box(page)).toBeVisible();
}

async function postComment(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await page.getByRole("button", { name: "Add Comment" }).click();
}

/** Lets comments reach the server, but drops live events, and responses until the returned function is called. */
async function loseResponses(page: Page): Promise<() => void> {
  allowErrors(page);
  let isFailing = true;
  await page.route(/comments\.create/, async (route) => {
    if (!isFailing) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.routeWebSocket(/\/trpc/, () => undefined);
  return () => void (isFailing = false);
}

test("queues a comment and a like on a page opened offline, and another tab sends them once when online", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog, { text: "Who is awake?" }));
  const page = await open(ben, withWorker);
  await readUntilCached(page, blog.slug);
  await goOffline(page);
  await page.reload();
  await openCommentSection(page);
  await postComment(page, "Said in a tunnel");
  await page
    .getByRole("article", { name: "Comment by Ana Torres" })
    .getByRole("button", { name: "Like" })
    .click();
  await expect(unsentLabel(page)).toHaveCount(1);
  const second = await page.context().newPage();
  await second.goto(`/blog/${blog.slug}`);
  await openCommentSection(second);
  await page.close();
  await expect(unsentLabel(second)).toHaveCount(1);
  await second.reload();
  await openCommentSection(second);
  await expect(unsentLabel(second)).toHaveCount(1);
  await second.context().setOffline(false);
  await expect(unsentLabel(second)).toHaveCount(0);
  await expect.poll(() => textsOf(ana, blog.id)).toEqual(["Said in a tunnel", "Who is awake?"]);
  const liked = async () =>
    (await ben.api.comments.list.query({ blogId: blog.id })).comments.filter((comment) => comment.liked)
      .length;
  await expect.poll(liked).toBe(1);
  await expect.poll(() => second.evaluate(() => localStorage.getItem("reprise:offline-queue"))).toBeNull();
});

test("shows a comment and a reply whose responses were lost once, as pending until answered", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog, { text: "Who is awake?" }));
  const page = await open(ben);
  const sendAnswers = await loseResponses(page);
  await page.goto(`/blog/${blog.slug}`);
  await openCommentSection(page);
  await postComment(page, "Said once");
  await expect(unsentLabel(page)).toHaveCount(1);
  await expect(box(page)).toHaveValue("");
  await page
    .getByRole("article", { name: "Comment by Ana Torres" })
    .getByRole("button", { name: "Reply" })
    .click();
  await page.getByRole("textbox", { name: "Reply" }).fill("I am");
  await page.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(unsentLabel(page)).toHaveCount(2);
  expect(await textsOf(ana, blog.id)).toEqual(["I am", "Said once", "Who is awake?"]);

  sendAnswers();
  await expect(unsentLabel(page)).toHaveCount(0);
  await expect(page.getByRole("article", { name: "Comment by Ben Oke" })).toHaveCount(2);
  expect(await textsOf(ana, blog.id)).toEqual(["I am", "Said once", "Who is awake?"]);
});

test("says why and when a comment beyond the limit will be sent @more", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  allowErrors(page);
  const data = { code: "TOO_MANY_REQUESTS", httpStatus: 429, retryAfter: 10 };
  const json = [{ error: { message: "Too many attempts.", code: -32_029, data } }];
  await page.route(/comments\.create/, (route) => route.fulfill({ status: 429, json }), { times: 1 });
  await page.goto(`/blog/${blog.slug}`);
  await openCommentSection(page);
  await postComment(page, "Said too fast");
  const reason = page.getByText(/^You’re commenting too fast\. Will be sent in \d+ seconds?$/);
  const first = (await reason.textContent())!;
  await expect(reason).not.toHaveText(first);
  await expect.poll(() => textsOf(ana, blog.id)).toEqual(["Said too fast"]);
});

test("sends a comment from another open tab when the tab that wrote it is closed @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto(`/blog/${blog.slug}`);
  await openCommentSection(page);
  const second = await page.context().newPage();
  await second.goto(`/home`);
  await expect(second.getByRole("heading", { name: "Blogs", exact: true })).toBeVisible();
  await goOffline(page);
  await postComment(page, "Said in a tunnel");
  await expect(unsentLabel(page)).toHaveCount(1);
  await page.close();
  await second.context().setOffline(false);
  await expect.poll(() => textsOf(ana, blog.id)).toEqual(["Said in a tunnel"]);
});

test("cancels a pending comment, even one that reached the server @more", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto(`/blog/${blog.slug}`);
  await openCommentSection(page);
  await loseResponses(page);
  await postComment(page, "Said too soon");
  await expect(unsentLabel(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(unsentLabel(page)).toHaveCount(0);
  await expect(box(page)).toHaveValue("Said too soon");
  await expect.poll(() => textsOf(ana, blog.id)).toEqual([]);
});

test("sends a pending comment as nobody else, and once its writer is signed in again @more", async ({
  site,
  open,
}) => {
  const people = await Promise.all(
    ["Ana Torres", "Ben Oke", "Cleo Diaz"].map((name) => site.createAccount(name)),
  );
  const [ana, ben, cleo] = people as [SignedInBrowser, SignedInBrowser, SignedInBrowser];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto(`/blog/${blog.slug}`);
  await openCommentSection(page);
  await goOffline(page);
  await postComment(page, "Said in a tunnel");
  await expect(unsentLabel(page)).toHaveCount(1);
  // Another person signs in in this browser; the page does not know it.
  await openPage(page.context(), site, cleo).then((otherPage) => otherPage.close());
  const refused = page.waitForResponse(/comments\.create/);
  await page.context().setOffline(false);
  expect((await refused).status()).toBe(401);
  await expect(page.getByText("You’re signed in as someone else now.")).toBeVisible();
  await expect(page.getByRole("button", { name: /Cleo Diaz/ }).first()).toBeVisible();
  expect(await textsOf(ana, blog.id)).toEqual([]);
  await openPage(page.context(), site, ben).then((otherPage) => otherPage.close());
  await page.reload();
  await expect.poll(() => textsOf(ana, blog.id)).toEqual(["Said in a tunnel"]);
});

test("shows the text of a pending comment when its blog was deleted, with Copy", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  // The queue's code loads late: nothing can be written before.
  await page.route(/\/outbox-\w+\.js/, async (route) => {
    await pause(1_000);
    await route.continue();
  });
  await page.goto(`/blog/${blog.slug}`);
  await openCommentSection(page);
  await goOffline(page);
  await postComment(page, "Said in a tunnel");
  await expect(unsentLabel(page)).toHaveCount(1);
  await page.close();
  await ana.api.blogs.remove.mutate({ id: blog.id });
  const next = await page.context().newPage();
  await next.context().setOffline(false);
  await next.goto("/home");
  await expect(next.getByText("“Said in a tunnel”")).toBeVisible();
  await expect(next.getByRole("button", { name: "Copy" })).toBeVisible();
});
