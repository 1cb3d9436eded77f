import type { Page } from "@playwright/test";
import { slow } from "../support/until.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, distanceMoved, sharedTest as test } from "./test-site.ts";

/* Readers and repliers of a blog. Counting takes seconds, so each test is one long visit. */

const presenceLine = (page: Page) => page.locator(".company");
const expectReading = (page: Page, count: number) =>
  expect(presenceLine(page)).toContainText(`${count} reading`);
const expectNoPresence = (page: Page) => expect(presenceLine(page)).toHaveText("");
const openComments = (page: Page) =>
  page
    .getByRole("button", { name: /^Comments/ })
    .first()
    .click();

test("shows two people that both read and that one replies, until one leaves", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Who else is awake?" }));
  // Without animated scrolling.
  const anaPage = await open(ana, { reducedMotion: "reduce" });
  const benPage = await open(ben);
  await anaPage.goto(`/blog/${slug}`);
  // A second tab is the same person; a lone reader is not counted.
  const second = await anaPage.context().newPage();
  await second.goto(`/blog/${slug}`);
  await benPage.goto(`/blog/${slug}`);
  for (const page of [anaPage, second, benPage]) await expectReading(page, 2);
  await second.close();

  // The line about a reply moves nothing and is not announced.
  await openComments(anaPage);
  await openComments(benPage);
  const box = anaPage.getByRole("textbox", { name: "Add your comment" });
  await expect(box).toBeVisible();
  const before = await box.boundingBox();
  await benPage
    .getByRole("article")
    .filter({ hasText: "Who else is awake?" })
    .getByRole("button", { name: "Reply", exact: true })
    .first()
    .click();
  await benPage.getByRole("textbox", { name: "Reply" }).pressSequentially("The owls");
  const line = anaPage.locator(".comment-replying").first();
  await expect(line).toHaveText("Ben Oke is replying");
  await expect(presenceLine(anaPage)).toContainText("2 reading · Ben Oke is replying");
  expect(await distanceMoved(box, before)).toBeLessThan(3);
  expect(await line.evaluate((element) => element.closest("[aria-live], [role=status]"))).toBeNull();
  await expect(benPage.locator(".comment-replying").first()).toHaveText("");
  await expect(presenceLine(benPage)).not.toContainText("replying");
  await benPage.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(anaPage.getByText("The owls")).toBeVisible();
  await expect(line).toHaveText("");

  await benPage.close();
  await expectNoPresence(anaPage);
});

test("counts a guest once in two tabs, nobody away or hidden, and nothing on a private blog @more", async ({
  site,
  open,
}) => {
  test.setTimeout(slow);
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const benPage = await open(ben);
  await benPage.goto("/settings");
  const setting = benPage.getByRole("switch", { name: "Show when I am reading or replying" });
  await expect(setting).toBeChecked();
  await setting.click();
  await expect(setting).not.toBeChecked();
  await expect.poll(async () => (await ben.api.users.me.query())?.showPresence).toBe(false);
  const anaPage = await open(ana);
  const first = await open();
  const second = await first.context().newPage();
  await second.clock.install();
  for (const page of [benPage, anaPage, first, second]) await page.goto(`/blog/${slug}`);
  for (const page of [benPage, anaPage, first, second]) await expectReading(page, 2);
  await openComments(benPage);
  await benPage.getByRole("textbox", { name: "Add your comment" }).pressSequentially("Hush");
  await openComments(anaPage);
  const box = anaPage.getByRole("textbox", { name: "Add your comment" });
  await box.pressSequentially("Hello");
  await expect(benPage.locator(".comment-replying").first()).toHaveText("Ana Torres is writing a comment");
  await expect(presenceLine(anaPage)).toHaveText("2 reading");
  // The other tab takes over from the closed one.
  await first.close();
  const third = await open();
  await third.goto(`/blog/${slug}`);
  await expectReading(anaPage, 3);
  // Navigating within the site ends the presence, too.
  await third.getByRole("link", { name: "Home" }).first().click();
  await expect(third).toHaveURL(/\/(home)?$/);
  await expectReading(anaPage, 2);
  await third.goBack();
  await expectReading(anaPage, 3);
  await third.close();
  await expectReading(anaPage, 2);
  const setHidden = (hidden: boolean) =>
    second.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await setHidden(true);
  await second.clock.fastForward(61_000);
  await expectNoPresence(anaPage);
  await setHidden(false);
  await expectReading(anaPage, 2);

  await second.close();
  await expectNoPresence(anaPage);
  await ben.api.users.updateSettings.mutate({ showPresence: true });
  await expectReading(anaPage, 2);
  await ana.api.blogs.update.mutate({ id, private: true });
  for (const page of [anaPage, benPage]) await expectNoPresence(page);
  const requestUrls: string[] = [];
  anaPage.on("request", (request) => requestUrls.push(request.url()));
  await box.pressSequentially("Hello");
  await ana.api.blogs.update.mutate({ id, private: false });
  await expectReading(anaPage, 2);
  expect(requestUrls.filter((url) => url.includes("comments.replying"))).toEqual([]);
});
