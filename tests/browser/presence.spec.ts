import type { Page } from "@playwright/test";
import { slow } from "../support/until.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, distanceMoved, sharedTest as test } from "./test-site.ts";

/* Readers and repliers of a blog. Counting takes seconds, so each test is one long visit. */

const company = (page: Page) => page.locator(".company");
const saysReading = (page: Page, count: number) => expect(company(page)).toContainText(`${count} reading`);
const saysNothing = (page: Page) => expect(company(page)).toHaveText("");
const openComments = (page: Page) =>
  page
    .getByRole("button", { name: /^Comments/ })
    .first()
    .click();

test("shows two people that both read and that one replies, until one leaves", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const ben = await site.createAccount("Ben Oke");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Who else is awake?" }));
  // Without animated scrolling.
  const hers = await open(ana, { reducedMotion: "reduce" });
  const his = await open(ben);
  await hers.goto(`/blog/${slug}`);
  // A second tab is the same person; a lone reader is not counted.
  const second = await hers.context().newPage();
  await second.goto(`/blog/${slug}`);
  await his.goto(`/blog/${slug}`);
  for (const page of [hers, second, his]) await saysReading(page, 2);
  await second.close();

  // The line about a reply moves nothing and is not announced.
  await openComments(hers);
  await openComments(his);
  const box = hers.getByRole("textbox", { name: "Add your comment" });
  await expect(box).toBeVisible();
  const before = await box.boundingBox();
  await his
    .getByRole("article")
    .filter({ hasText: "Who else is awake?" })
    .getByRole("button", { name: "Reply", exact: true })
    .first()
    .click();
  await his.getByRole("textbox", { name: "Reply" }).pressSequentially("The owls");
  const line = hers.locator(".comment-replying").first();
  await expect(line).toHaveText("Ben Oke is replying");
  await expect(company(hers)).toContainText("2 reading · Ben Oke is replying");
  expect(await distanceMoved(box, before)).toBeLessThan(3);
  expect(await line.evaluate((element) => element.closest("[aria-live], [role=status]"))).toBeNull();
  await expect(his.locator(".comment-replying").first()).toHaveText("");
  await expect(company(his)).not.toContainText("replying");
  await his.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(hers.getByText("The owls")).toBeVisible();
  await expect(line).toHaveText("");

  await his.close();
  await saysNothing(hers);
});

test("counts a guest once in two tabs, nobody away or hidden, and nothing on a private blog @more", async ({
  site,
  open,
}) => {
  test.setTimeout(slow);
  const ana = await site.createAccount("Ana Torres");
  const ben = await site.createAccount("Ben Oke");
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const his = await open(ben);
  await his.goto("/settings");
  const setting = his.getByRole("switch", { name: "Show when I am reading or replying" });
  await expect(setting).toBeChecked();
  await setting.click();
  await expect(setting).not.toBeChecked();
  await expect.poll(async () => (await ben.api.users.me.query())?.showPresence).toBe(false);
  const hers = await open(ana);
  const first = await open();
  const second = await first.context().newPage();
  await second.clock.install();
  for (const page of [his, hers, first, second]) await page.goto(`/blog/${slug}`);
  for (const page of [his, hers, first, second]) await saysReading(page, 2);
  await openComments(his);
  await his.getByRole("textbox", { name: "Add your comment" }).pressSequentially("Hush");
  await openComments(hers);
  const box = hers.getByRole("textbox", { name: "Add your comment" });
  await box.pressSequentially("Hello");
  await expect(his.locator(".comment-replying").first()).toHaveText("Ana Torres is replying");
  await expect(company(hers)).toHaveText("2 reading");
  // The other tab takes over from the closed one.
  await first.close();
  const third = await open();
  await third.goto(`/blog/${slug}`);
  await saysReading(hers, 3);
  // Navigating within the site ends the presence, too.
  await third.getByRole("link", { name: "Home" }).first().click();
  await expect(third).toHaveURL(/\/(home)?$/);
  await saysReading(hers, 2);
  await third.goBack();
  await saysReading(hers, 3);
  await third.close();
  await saysReading(hers, 2);
  const look = (hidden: boolean) =>
    second.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await look(true);
  await second.clock.fastForward(61_000);
  await saysNothing(hers);
  await look(false);
  await saysReading(hers, 2);

  await second.close();
  await saysNothing(hers);
  await ben.api.users.updateSettings.mutate({ showPresence: true });
  await saysReading(hers, 2);
  await ana.api.blogs.update.mutate({ id, private: true });
  for (const page of [hers, his]) await saysNothing(page);
  const asked: string[] = [];
  hers.on("request", (request) => asked.push(request.url()));
  await box.pressSequentially("Hello");
  await ana.api.blogs.update.mutate({ id, private: false });
  await saysReading(hers, 2);
  expect(asked.filter((url) => url.includes("comments.replying"))).toEqual([]);
});
