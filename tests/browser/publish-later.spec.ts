import type { Page } from "@playwright/test";
import Sqlite from "better-sqlite3";
import path from "node:path";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { content, openPublishSheet } from "./editor-helpers.ts";
import { waitForHydration, expect, test, type TestSite } from "./test-site.ts";

const inBerlin = { timezoneId: "Europe/Berlin", locale: "en-GB" };
const box = (page: Page) => page.getByLabel("Day and time");
const laterCheckbox = (page: Page) => page.getByRole("checkbox", { name: "Publish later" });
const card = (page: Page, title: string) => page.locator(".card", { hasText: title });
const scheduleNotice = (page: Page) => page.getByRole("complementary", { name: "Scheduled" });

/** Returns the date of the day after tomorrow in Berlin. */
const dayAfterTomorrow = () =>
  new Intl.DateTimeFormat("sv", { timeZone: "Europe/Berlin" }).format(Date.now() + 48 * 3_600_000);
const dateText = (day: string, time: string) => {
  const date = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format(
    Date.parse(day),
  );
  return `Scheduled for ${date}, ${time} (Berlin time)`;
};

/** Makes all scheduled blogs due, and wakes the job queue by `wakeQueue`. */
async function makeSchedulesDue(site: TestSite, wakeQueue: () => Promise<unknown>): Promise<void> {
  const store = new Sqlite(path.join(site.dataDir, "reprise.db"), { timeout: 5_000 });
  store.prepare("update jobs set due_at = 1 where name = 'publish'").run();
  store.close();
  await wakeQueue();
}

test("schedules a blog, moves it, makes it a draft again, and publishes it now, on a phone and a desktop @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana, { ...inBerlin, viewport: { width: 390, height: 844 } });
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Owls, later");
  await content(page).fill("Mostly.");
  await openPublishSheet(page);
  await laterCheckbox(page).check();
  await expect(page.getByText("Berlin time")).toBeVisible();
  await expect(page.getByText(/^Tomorrow at 09:00, in \d+ hours\.$/)).toBeVisible();
  await expect(page.getByText("It isn’t scheduled yet.")).toBeVisible();
  const button = page.getByRole("button", { name: "Schedule" });

  await box(page).fill("");
  await button.click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose a day and a time." })).toBeVisible();
  await expect(box(page)).toBeFocused();
  await expect(box(page)).toHaveAttribute("aria-invalid", "true");
  const day = dayAfterTomorrow();
  await box(page).fill(`${day}T09:30`);
  await expect(box(page)).not.toHaveAttribute("aria-invalid");
  await page.getByRole("checkbox", { name: "Private" }).check();
  await button.click();
  await expect(scheduleNotice(page)).toContainText(
    `${dateText(day, "9:30 AM")}. Only you can read it until then`,
  );
  await expect(page.getByText(`${dateText(day, "9:30 AM")}.`, { exact: true }).first()).toBeVisible();
  const slug = new URL(page.url()).pathname.split("/").at(-1)!;

  const window = await open(ana, { ...inBerlin, viewport: { width: 1440, height: 900 } });
  for (const tab of [page, window]) {
    await tab.goto("/my-blogs");
    await expect(card(tab, "Owls, later")).toContainText(dateText(day, "9:30 AM"));
    expect(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
  await page.goto(`/${ana.me.username}/draft-blogs`);
  await expect(card(page, "Owls, later")).toContainText(dateText(day, "9:30 AM"));
  await page.goto(`/blog/${slug}`);
  await expect(scheduleNotice(page)).toBeVisible();

  const form = await open(ana, inBerlin);
  await form.goto(`/edit/${slug}`);
  await expect(content(form)).toBeVisible();
  await openPublishSheet(form);
  await expect(laterCheckbox(form)).toBeChecked();
  await expect(box(form)).toHaveValue(`${day}T09:30`);
  await expect(form.getByRole("checkbox", { name: "Private" })).toBeChecked();
  await box(form).fill(`${day}T18:00`);
  const stillScheduled = form.getByText(`It is still ${dateText(day, "9:30 AM").replace("S", "s")}.`);
  await expect(stillScheduled).toBeVisible();
  await expect(form.getByText("Saved", { exact: true })).toBeVisible();
  await form.reload();
  await expect(content(form)).toBeVisible();
  await openPublishSheet(form);
  await expect(box(form)).toHaveValue(`${day}T18:00`);
  await expect(stillScheduled).toBeVisible();
  await form.getByRole("button", { name: "Schedule" }).click();
  await expect(scheduleNotice(form)).toContainText(dateText(day, "6:00 PM"));
  await expect(card(window, "Owls, later")).toContainText(dateText(day, "6:00 PM"));
  await expect(scheduleNotice(page)).toContainText(dateText(day, "6:00 PM"));

  await scheduleNotice(form).getByRole("link", { name: "Change" }).click();
  await expect(content(form)).toBeVisible();
  await openPublishSheet(form);
  await form.getByRole("button", { name: "Keep as draft" }).click();
  await expect(form.getByRole("checkbox", { name: "Save as draft" })).toBeChecked();
  await expect(laterCheckbox(form)).not.toBeChecked();
  await form.getByRole("button", { name: "Save as draft" }).click();
  await expect(form.getByText("Draft saved.")).toBeVisible();
  await expect(scheduleNotice(form)).toBeHidden();
  await expect(scheduleNotice(page)).toBeHidden();
  await expect(card(window, "Owls, later").locator(".card-badge")).toHaveText("Draft");

  const { id } = await ana.api.blogs.forEdit.query({ slug });
  const schedule = { at: new Date(Date.now() + 3_600_000).toISOString(), zone: "Europe/Berlin" };
  await ana.api.blogs.update.mutate({ id, private: false, schedule });
  await scheduleNotice(page).getByRole("button", { name: "Publish now" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Publish this blog now?" });
  await expect(dialog).toContainText("Everyone will be able to read it as it is now.");
  await dialog.getByRole("button", { name: "Publish now" }).click();
  await expect(page.getByText("Published! Everyone can read your blog.")).toBeVisible();
  await expect(scheduleNotice(page)).toBeHidden();
  expect(await ana.api.blogs.forEdit.query({ slug })).toMatchObject({ draft: false, schedule: null });
});

test("publishes a blog when it is due, live on its author's pages and in a follower's feed", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.createAccount("Ana Torres"), await site.createAccount("Ben Oke")];
  await ana.api.blogs.create.mutate(aBlog({ title: "Bats" }));
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const { slug, id } = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Owls",
      document: paragraphs("Mostly."),
      draft: true,
      private: true,
      schedule: { at, zone: "Europe/Berlin" },
    }),
  );
  const [list, article, form, feed] = [await open(ana), await open(ana), await open(ana), await open(ben)];
  await list.goto("/my-blogs");
  await article.goto(`/blog/${slug}`);
  await form.goto(`/edit/${slug}`);
  await feed.goto("/home");
  await expect(content(form)).toBeVisible();
  await expect(card(list, "Owls")).toContainText("Scheduled for");
  await expect(scheduleNotice(article)).toBeVisible();
  await waitForHydration(feed.getByRole("link", { name: "Bats" }).first());
  await expect(feed.getByText("Owls")).toHaveCount(0);

  // Scheduling any job wakes the queue.
  await makeSchedulesDue(site, () =>
    ana.api.blogs.create.mutate(aBlog({ draft: true, schedule: { at, zone: "UTC" } })),
  );
  await expect(card(feed, "Owls")).toBeVisible();
  await expect(scheduleNotice(article)).toBeHidden();
  await expect(article.getByRole("button", { name: /^Like\b/ })).toBeVisible();
  await expect(card(list, "Owls").locator(".card-badge")).toHaveText("Private");
  await expect(form.getByText("“Owls” is published now.")).toBeVisible();
  await openPublishSheet(form);
  await expect(form.getByRole("button", { name: "Update Blog" })).toBeVisible();
  await expect(laterCheckbox(form)).toHaveCount(0);
  expect((await ben.api.blogs.card.query({ id })).draft).toBe(false);
});

test("tells the author why a scheduled draft could not be published, and keeps it a draft @more", async ({
  site,
  open,
}) => {
  const [boss, ana] = [await site.createAccount("Boss Vale"), await site.createAccount("Ana Torres")];
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({ title: "Owls", draft: true, schedule: { at, zone: "Europe/Berlin" } }),
  );
  await boss.api.administration.setSite.mutate({ writers: "approved" });
  const page = await open(ana);
  await page.goto(`/blog/${slug}`);
  await expect(scheduleNotice(page)).toBeVisible();
  await makeSchedulesDue(site, () =>
    boss.api.blogs.create.mutate(aBlog({ draft: true, schedule: { at, zone: "UTC" } })),
  );
  await expect(page.getByRole("button", { name: /^Notifications.*1/ })).toBeVisible();
  await expect(scheduleNotice(page)).toBeHidden();
  await page.getByRole("button", { name: /^Notifications/ }).click();
  const notification = page.getByRole("link", { name: /couldn’t publish “Owls” as scheduled/ });
  await expect(notification).toContainText("Publishing is limited to approved writers on this site");
});

test("says in the form which times do not exist or occur twice where clocks change @more", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"), inBerlin);
  await page.clock.setFixedTime("2027-03-20T10:00:00Z");
  await page.goto("/add-blog");
  await expect(content(page)).toBeVisible();
  await openPublishSheet(page);
  await laterCheckbox(page).check();
  await box(page).fill("2027-03-28T02:30");
  await expect(page.getByRole("alert").filter({ hasText: /clocks are put forward/ })).toBeVisible();
  await box(page).fill("2027-10-31T02:30");
  await expect(page.getByText(/This time occurs twice that day. We’ll use the first/)).toBeVisible();
});
