import type { Page } from "@playwright/test";
import type { Resident } from "../support/browser.ts";
import { aBlog, aComment } from "../support/writing.ts";
import { expect, forgive, sharedTest as test } from "./site.ts";

const commentsButton = (page: Page) => page.getByRole("button", { name: "Comments", exact: true });
const box = (page: Page) => page.getByRole("textbox", { name: "Add your comment" });
const commentOf = (page: Page, name: string) => page.getByRole("article", { name: `Comment by ${name}` });

/** A page in whose window comments can be sent, but no answer to them comes, and no events do, until they are let through. */
async function loseAnswers(page: Page): Promise<{ answer: () => void; hear: () => void }> {
  const held: (() => void)[] = [];
  let answers = false;
  let hears = false;
  await page.route(/comments\.create/, async (route) => {
    if (answers) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.routeWebSocket(/\/trpc/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (hears || message === "PONG") socket.send(message);
      else held.push(() => socket.send(message));
    });
  });
  return {
    answer: () => void (answers = true),
    hear: () => {
      hears = true;
      for (const send of held.splice(0)) send();
    },
  };
}

/** Writes a comment whose answer does not come: it stands in the list and waits. */
async function sayInVain(page: Page, slug: string): Promise<void> {
  forgive(page);
  await page.goto(`/blog/${slug}`);
  await commentsButton(page).click();
  await box(page).fill("Said once");
  await page.getByRole("button", { name: "Add Comment" }).click();
  await expect(commentOf(page, "Ben Oke")).toContainText("Will be sent when you are online");
  await expect(box(page)).toHaveValue("");
}

const textsOf = async (api: Resident["api"], blogId: string) =>
  (await api.comments.list.query({ blogId })).comments.map(({ text }) => text).toSorted();

test("a comment and a reply whose answers were lost stand once, and wait until they are answered", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Who is awake?" }));
  const page = await open(ben);
  const { answer } = await loseAnswers(page);
  await sayInVain(page, slug);
  await commentOf(page, "Ana Torres").getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Reply" }).fill("I am");
  await page.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(page.getByText("Will be sent when you are online")).toHaveCount(2);
  expect(await textsOf(ana.api, id)).toEqual(["I am", "Said once", "Who is awake?"]);

  answer();
  await expect(page.getByText("Will be sent when you are online")).toHaveCount(0);
  await expect(commentOf(page, "Ben Oke")).toHaveCount(2);
  expect(await textsOf(ana.api, id)).toEqual(["I am", "Said once", "Who is awake?"]);
});

test("a comment whose answer was lost stands once when it is heard of @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  const { answer, hear } = await loseAnswers(page);
  await sayInVain(page, slug);

  hear();
  answer();
  await expect(page.getByText("Will be sent when you are online")).toHaveCount(0);
  await expect(commentOf(page, "Ben Oke").getByText("Said once")).toHaveCount(1);
});

test("a comment and a like that were not sent when the tab was closed are sent by the next, once", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Who is awake?" }));
  const page = await open(ben);
  await page.goto(`/blog/${slug}`);
  await commentsButton(page).click();
  await expect(commentOf(page, "Ana Torres")).toBeVisible();
  await page.context().route(/comments\.(create|like)/, (route) => route.abort());
  forgive(page);
  await commentOf(page, "Ana Torres").getByRole("button", { name: "Like" }).click();
  await box(page).fill("Said in a tunnel");
  await page.getByRole("button", { name: "Add Comment" }).click();
  await expect(commentOf(page, "Ben Oke")).toContainText("Will be sent when you are online");
  await page.close();
  expect(await textsOf(ana.api, id)).toEqual(["Who is awake?"]);

  await page.context().unroute(/comments\.(create|like)/);
  const next = await page.context().newPage();
  await next.goto("/home");
  await expect.poll(async () => textsOf(ana.api, id)).toEqual(["Said in a tunnel", "Who is awake?"]);
  await next.goto(`/blog/${slug}`);
  await commentsButton(next).click();
  await expect(commentOf(next, "Ben Oke").getByText("Said in a tunnel")).toHaveCount(1);
  await expect(commentOf(next, "Ana Torres").getByRole("button", { name: "Like" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect.poll(() => next.evaluate(() => localStorage.getItem("reprise:outbox"))).toBeNull();
});
