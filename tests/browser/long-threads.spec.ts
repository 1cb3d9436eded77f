import path from "node:path";
import type { Page } from "@playwright/test";
import Sqlite from "better-sqlite3";
import { limits } from "../../src/shared/limits.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import {
  waitForHydration,
  expect,
  allowErrors,
  distanceMoved,
  sharedTest as test,
  test as alone,
  type TestSite,
} from "./test-site.ts";

const rows = (page: Page) => page.locator(".comment");
const fold = (page: Page) => page.getByRole("button", { name: /^Show [\d,]+ repl(y|ies)$/ });
const few = limits.replies.few;

/** Creates a blog with one thread of `count` replies, "Reply 1" the oldest. */
async function aLongThread(site: TestSite, count: number) {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const root = await ben.api.comments.create.mutate(aComment(blog, { text: "Who heard it?" }));
  const replies: { id: string }[] = [];
  const reply = async (text: string, parentId = root.id) => {
    replies.push(await ben.api.comments.create.mutate(aComment(blog, { text, parentId })));
  };
  for (let number = 1; number <= count; number++) await reply(`Reply ${number}`);
  return { ana, ben, blog, root, replies, reply };
}

test("folds a long thread, opens it page by page by keyboard and announces the count", async ({
  site,
  open,
}) => {
  const { blog, reply } = await aLongThread(site, 60);
  const page = await open();
  await page.goto(`/blog/${blog.slug}?comments=open`);
  await expect(rows(page)).toHaveCount(1 + few);
  const button = fold(page);
  await expect(button).toHaveAccessibleName(`Show ${60 - few} replies`);
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await waitForHydration(button);

  await reply("Reply 61");
  await expect(button).toHaveAccessibleName(`Show ${61 - few} replies`);
  await expect(rows(page)).toHaveCount(1 + few);

  await button.focus();
  const { y = 0 } = (await button.boundingBox()) ?? {};
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "30 replies shown" })).toHaveCount(1);
  await expect(rows(page)).toHaveCount(1 + few + limits.replies.page);
  const first = page.locator(".comment", { hasText: `Reply ${few + 1}` }).first();
  await expect(first).toBeFocused();
  expect(Math.abs(((await first.boundingBox())?.y ?? 0) - y)).toBeLessThan(24);
  await expect(button).toHaveAccessibleName(`Show ${61 - few - limits.replies.page} replies`);
  await button.click();
  await expect(button).toHaveCount(0);
  await expect(rows(page)).toHaveCount(62);

  await reply("Reply 62");
  await expect(page.getByText("Reply 62")).toBeVisible();
  await expect(button).toHaveCount(0);
});

test("leads to a reply deep in a folded thread, and restores the thread when going back", async ({
  site,
  open,
}) => {
  const { blog, replies } = await aLongThread(site, 80);
  const page = await open();
  await page.goto(`/blog/${blog.slug}#comment-${replies[69]?.id}`);
  const linkedComment = page.locator(`#comment-${replies[69]?.id}`);
  await expect(linkedComment).toBeInViewport();
  await expect(linkedComment).toHaveAttribute("data-marked");
  await expect(page.getByText("Reply 71")).toBeVisible();
  await expect(page.getByText("Reply 50")).toHaveCount(0);
  const foldedCount = 80 - few - 1 - 2 * limits.replies.around;
  await expect(fold(page)).toHaveAccessibleName(`Show ${foldedCount} replies`);
  await fold(page).click();
  await expect(page.getByText("Reply 10", { exact: true })).toBeVisible();
  const rowCount = await rows(page).count();

  await page.getByRole("link", { name: "Ben Oke" }).first().click();
  await expect(page.getByRole("heading", { name: "Ben Oke" })).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(rowCount);
  await expect(page.getByText("Reply 10", { exact: true })).toHaveCount(1);
});

test("shows that replies are loading; an error appears in their place with Retry @more", async ({
  site,
  open,
}) => {
  const { blog } = await aLongThread(site, 70);
  const page = await open();
  let answer: (() => void) | undefined;
  await page.goto(`/blog/${blog.slug}?comments=open`);
  await waitForHydration(fold(page));
  await page.route(/comments\.replies/, (route) => {
    answer = () => void route.continue();
  });
  await fold(page).click();
  await expect(page.locator(".comment-more button")).toHaveAttribute("aria-busy", "true");
  await expect.poll(() => answer !== undefined).toBe(true);
  answer?.();
  await page.unroute(/comments\.replies/);
  await expect(rows(page)).toHaveCount(1 + few + limits.replies.page);
  allowErrors(page);
  await page.route(/comments\.replies/, (route) => route.abort());
  await fold(page).click();
  const alert = page.getByRole("alert");
  await expect(alert).toBeVisible();
  // The error starts where the replies' text starts, clear of the thread's line.
  const start = await alert.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().left;
  });
  const replies = await page.getByText("Reply 1", { exact: true }).boundingBox();
  expect(Math.abs(start - replies!.x)).toBeLessThan(3);
  await page.unroute(/comments\.replies/);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(rows(page)).toHaveCount(1 + few + 2 * limits.replies.page);
  await expect(fold(page)).toHaveAccessibleName(`Show ${70 - few - 2 * limits.replies.page} replies`);
});

alone(
  "keeps unfolded, written and linked replies after everything was refetched @more",
  async ({ site, open }) => {
    alone.slow();
    const { ana, blog, root, replies, reply } = await aLongThread(site, 90);
    const page = await open(ana);
    await page.goto(`/blog/${blog.slug}#comment-${replies[79]?.id}`);
    await expect(page.locator(`#comment-${replies[79]?.id}`)).toBeInViewport();
    const around = 1 + 2 * limits.replies.around;
    await fold(page).click();
    await expect(rows(page)).toHaveCount(1 + few + limits.replies.page + around);
    const top = page.locator(`#comment-${root.id}`);
    // By a key: a second click there so soon would count as a double click.
    await top.getByRole("button", { name: "Reply", exact: true }).press("Enter");
    await top.getByRole("textbox", { name: "Reply" }).fill("I did.");
    await page.keyboard.press("Control+Enter");
    const ownComment = page.locator(".comment", { hasText: "I did." });
    await expect(ownComment).not.toContainText("Sending");

    allowErrors(page);
    await site.kill("SIGKILL");
    // Like `reprise restored`: a new live epoch makes pages fetch everything again.
    const store = new Sqlite(path.join(site.dataDir, "reprise.db"));
    store.prepare("update meta set value = 'another' where key = 'live_epoch'").run();
    store.close();
    await site.start();
    await reply("Reply 91");
    const loaded = few + limits.replies.page;
    // The number of hidden replies may differ by one: the reply that stood alone comes with its neighbours.
    await expect
      .poll(async () => {
        const foldedCount = Number(/\d+/.exec((await fold(page).textContent()) ?? "")?.[0]);
        return foldedCount + (await rows(page).count());
      })
      .toBe(1 + 92);
    await expect(page.getByText(`Reply ${loaded}`, { exact: true })).toHaveCount(1);
    await expect(page.getByText("Reply 80", { exact: true })).toHaveCount(1);
    await expect(ownComment).toHaveCount(1);
    await expect(page.getByText("Reply 60")).toHaveCount(0);
  },
);

for (const width of [390, 1440])
  test(`keeps a comment's other controls in place after a click, at ${width} px @more`, async ({
    site,
    open,
  }) => {
    const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
    const blog = await ana.api.blogs.create.mutate(aBlog());
    const texts = ["Short.", "A long one. ".repeat(60), "Another."];
    for (const text of texts) await ben.api.comments.create.mutate(aComment(blog, { text }));
    const anaComment = await ana.api.comments.create.mutate(aComment(blog, { text: "My own." }));
    const page = await open(ana, { viewport: { width, height: 800 }, hasTouch: width === 390 });
    await page.goto(`/blog/${blog.slug}?comments=open`);
    const twice = async (name: string, row: ReturnType<Page["locator"]>) => {
      const button = row.getByRole("button", { name, exact: true }).first();
      await button.scrollIntoViewIfNeeded();
      const { x = 0, y = 0, width: wide = 0, height = 0 } = (await button.boundingBox()) ?? {};
      const [left, top] = [x + wide / 2, y + height / 2];
      if (width === 390) {
        await page.touchscreen.tap(left, top);
        await page.touchscreen.tap(left, top);
      } else await page.mouse.dblclick(left, top);
    };
    const dialog = page.getByRole("alertdialog");
    for (const text of [...texts, "My own."]) {
      const row = page.locator(".comment", { hasText: text });
      await waitForHydration(row.getByRole("button", { name: "Reply", exact: true }));
      await row.hover();
      const remove = row.getByRole("button", { name: "Delete" });
      const before = await remove.boundingBox();
      await twice("Reply", row);
      await expect(row.getByRole("textbox", { name: "Reply" })).toBeFocused();
      expect(Math.abs((await remove.boundingBox())!.x - before!.x)).toBeLessThan(3);
      await expect(dialog).toHaveCount(0);
      await twice("Cancel", row);
      await expect(row.getByRole("textbox")).toHaveCount(0);
      await expect(dialog).toHaveCount(0);
      await twice("Like", row);
      expect(Math.abs((await remove.boundingBox())!.x - before!.x)).toBeLessThan(3);
    }
    // Another person's like must not move the controls under the pointer.
    const row = page.locator(`#comment-${anaComment.id}`);
    await row.getByRole("button", { name: "Delete" }).hover();
    const before = await row.getByRole("button", { name: "Delete" }).boundingBox();
    await ben.api.comments.like.mutate({ id: anaComment.id, liked: true });
    await expect(row.getByRole("button", { name: "Like" })).toContainText("1");
    expect(await distanceMoved(row.getByRole("button", { name: "Delete" }), before)).toBeLessThan(3);
    await twice("Edit", row);
    await expect(row.getByRole("textbox", { name: "Edit your comment" })).toBeFocused();
    await twice("Cancel", row);
    await twice("Delete", row);
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(row).toBeVisible();
  });
