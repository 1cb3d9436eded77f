import type { Page } from "@playwright/test";
import { aBlog, aComment } from "../support/writing.ts";
import { expect, forgive, test } from "./site.ts";

const commentsButton = (page: Page) => page.getByRole("button", { name: "Comments", exact: true });
const box = (page: Page) => page.getByRole("textbox", { name: "Add your comment" });
const commentOf = (page: Page, name: string) => page.getByRole("article", { name: `Comment by ${name}` });

/** A page in whose window comments can be sent, but no answer to them comes, and no events do, until they are let through. */
async function loseAnswers(page: Page): Promise<{ answer: () => Promise<void>; hear: () => void }> {
  const create = /comments\.create/;
  const held: (() => void)[] = [];
  let hears = false;
  await page.route(create, async (route) => {
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
    answer: () => page.unroute(create),
    hear: () => {
      hears = true;
      for (const send of held.splice(0)) send();
    },
  };
}

/** Writes a comment that stands, though its answer is lost: the text comes back with a message. */
async function sayInVain(page: Page, slug: string): Promise<void> {
  forgive(page);
  await page.goto(`/blog/${slug}`);
  await commentsButton(page).click();
  await box(page).fill("Said once");
  await page.getByRole("button", { name: "Add Comment" }).click();
  await expect(page.getByText("The server can’t be reached.")).toBeVisible();
  await expect(box(page)).toHaveValue("Said once");
}

test("a comment and a reply whose answers were lost stand once, though they are sent again", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Who is awake?" }));
  const texts = async () =>
    (await ana.api.comments.list.query({ blogId: id })).comments.map(({ text }) => text).toSorted();
  const page = await open(ben);
  const { answer } = await loseAnswers(page);
  await sayInVain(page, slug);
  await commentOf(page, "Ana Torres").getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Reply" }).fill("I am");
  await page.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(page.getByRole("textbox", { name: "Reply" })).toHaveValue("I am");
  expect(await texts()).toEqual(["I am", "Said once", "Who is awake?"]);

  await answer();
  for (const [button, text] of [
    ["Reply", "I am"],
    ["Add Comment", "Said once"],
  ] as const) {
    const form = page.locator("form", { has: page.getByRole("button", { name: button, exact: true }) });
    const answered = page.waitForResponse(/comments\.create/);
    await form.getByRole("button", { name: button }).click();
    await answered;
    await expect(commentOf(page, "Ben Oke").getByText(text, { exact: true })).toBeVisible();
  }
  expect(await texts()).toEqual(["I am", "Said once", "Who is awake?"]);
  await expect(box(page)).toHaveValue("");
});

test("a comment whose answer was lost leaves its box once it is heard to stand, and so does what is said about it", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  const { hear } = await loseAnswers(page);
  await sayInVain(page, slug);

  hear();
  await expect(commentOf(page, "Ben Oke").getByText("Said once")).toHaveCount(1);
  await expect(box(page)).toHaveValue("");
  await expect(page.getByText("The server can’t be reached.")).toHaveCount(0);
});

test("a comment whose answer was lost before a reload is not offered again after it", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await loseAnswers(page);
  await sayInVain(page, slug);

  await page.reload();
  await commentsButton(page).click();
  await expect(commentOf(page, "Ben Oke").getByText("Said once")).toHaveCount(1);
  await expect(box(page)).toHaveValue("");
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft")))).toEqual(
    [],
  );
});
