import type { Page } from "@playwright/test";
import type { SignedInBrowser } from "../support/browser.ts";
import { paint, upload } from "../support/pictures.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { content, openPublishSheet } from "./editor-helpers.ts";
import { failRequests, stopFailing } from "./failing-requests.ts";
import { expect, sharedTest as test, type TestSite } from "./test-site.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "History" });
const entries = (page: Page) => dialog(page).getByRole("list").first().getByRole("button");
const viewSelect = (page: Page) => dialog(page).getByRole("combobox", { name: "Show" });
const article = (page: Page) => page.getByRole("main").getByRole("article").first();
const previewNotice = (page: Page) => page.getByText("This is an earlier version. Readers don’t see it yet.");

/** Creates Ana's blog, saves it once per text and opens its form. */
async function createVersions(
  site: TestSite,
  open: (person: SignedInBrowser) => Promise<Page>,
  ...texts: string[]
) {
  const ana = await site.createAccount("Ana Torres");
  const [first = "", ...laterTexts] = texts;
  const { id, slug } = await ana.api.blogs.create.mutate(
    aBlog({ title: "Owls", document: paragraphs(first) }),
  );
  for (const [index, text] of laterTexts.entries())
    await ana.api.blogs.update.mutate({
      id,
      etag: index + 1,
      title: `Owls ${index + 2}`,
      document: paragraphs(text),
    });
  const page = await open(ana);
  await page.goto(`/edit/${slug}`);
  await expect(content(page)).toBeVisible();
  return { ana, id, slug, page };
}

const openHistory = (page: Page) => page.getByRole("button", { name: "History" }).click();

test("compares versions side by side and inline; one is restored, undone, restored again and saved", async ({
  site,
  open,
}) => {
  const { ana, id, slug, page } = await createVersions(
    site,
    open,
    "The owls hunt at night.",
    "The owls sing at night, mostly.",
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await openHistory(page);
  await expect(entries(page)).toHaveCount(2);
  await expect(entries(page).nth(0)).toContainText(/Published.*just now.*Owls 2.*6 words, 1 more.*by you/);
  await expect(entries(page).nth(1)).toContainText(/Published.*Owls.*5 words/);
  await expect(entries(page).nth(0)).toHaveAttribute("aria-current", "true");
  const title = dialog(page).getByRole("region", { name: "Title" });
  await expect(title).toContainText("Owls");
  await expect(title).toContainText("Owls 2");
  const text = dialog(page).getByRole("region", { name: "Text" });
  const [before, after] = [text.locator(".prose").nth(0), text.locator(".prose").nth(1)];
  await expect(before).toHaveText("The owls hunt at night.");
  await expect(before.locator("del")).toHaveText("hunt");
  await expect(before.locator("ins")).toHaveCount(0);
  await expect(after).toHaveText("The owls sing at night, mostly.");
  await expect(after.locator("ins")).toHaveText(["sing", ", mostly"]);
  const [left, right] = [await before.boundingBox(), await after.boundingBox()];
  expect(right!.x).toBeGreaterThan(left!.x + left!.width);
  expect(Math.abs(right!.y - left!.y)).toBeLessThan(3);

  await dialog(page).getByRole("button", { name: "Inline" }).click();
  await expect(text.locator(".prose")).toHaveText("The owls huntsing at night, mostly.");
  await viewSelect(page).selectOption("The whole text");
  await expect(dialog(page).locator(".prose")).toHaveText("The owls sing at night, mostly.");
  await expect(dialog(page).getByRole("button", { name: "This is in the form" })).toBeDisabled();

  await entries(page).nth(1).click();
  await expect(dialog(page).locator(".prose")).toHaveText("The owls hunt at night.");
  await viewSelect(page).selectOption("What differs from the form now");
  await expect(text.locator("del")).toHaveText("hunt");
  await dialog(page).getByRole("button", { name: "Restore this" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(content(page)).toHaveText("The owls hunt at night.");
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Owls");
  await expect(previewNotice(page)).toBeVisible();
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(content(page)).toHaveText("The owls sing at night, mostly.");
  await expect(previewNotice(page)).toBeHidden();
  expect(await ana.api.blogs.versions.query({ id })).toMatchObject({ versions: { length: 2 } });

  await openHistory(page);
  await entries(page).nth(1).click();
  await dialog(page).getByRole("button", { name: "Restore this" }).click();
  await expect(previewNotice(page)).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(content(page)).toHaveText("The owls hunt at night.");
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
  await expect(article(page)).toContainText("The owls hunt at night.");
  const { versions } = await ana.api.blogs.versions.query({ id });
  expect(versions.map(({ reason, restored }) => [reason, restored])).toEqual([
    ["published", versions[2]!.createdAt],
    ["published", null],
    ["published", null],
  ]);
});

test("restores a version's cover while another one is uploading, which Undo brings back @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const cover = await upload(ana, await paint());
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
  await ana.api.blogs.update.mutate({ id, coverId: null });
  const page = await open(ana, { viewport: { width: 1440, height: 900 } });
  await page.goto(`/edit/${slug}`);
  const sheet = await openPublishSheet(page);
  const sending = Promise.withResolvers<void>();
  await page.route("**/upload", async (route) => {
    await sending.promise;
    await route.continue().catch(() => undefined);
  });
  await sheet
    .getByLabel("Cover image")
    .setInputFiles({ name: "owl.png", mimeType: "image/png", buffer: await paint() });
  await expect(sheet.getByRole("progressbar", { name: "Upload" })).toBeVisible();
  await sheet.getByRole("button", { name: "Close" }).click();
  await openHistory(page);
  await entries(page).nth(1).click();
  await dialog(page).getByRole("button", { name: "Restore this" }).click();
  await expect(previewNotice(page)).toBeVisible();
  await openPublishSheet(page);
  await expect(sheet.getByRole("progressbar", { name: "Upload" })).toBeHidden();
  const coverId = async () => (await ana.api.blogs.openDraft.mutate({ id })).fields.coverId;
  await expect.poll(coverId).toBe(cover.id);
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(sheet.getByRole("progressbar", { name: "Upload" })).toBeVisible();
  await expect.poll(coverId).toBe(null);
  sending.resolve();
  await expect(sheet.getByRole("button", { name: "Remove cover" })).toBeVisible();
  await expect.poll(coverId).not.toBe(null);
  expect(await coverId()).not.toBe(cover.id);
});

test("keeps discarded changes in the history, marks what readers see, and restores the discarded text", async ({
  site,
  open,
}) => {
  const { ana, id, page } = await createVersions(site, open, "The owls hunt.", "The owls sing.");
  await page.setViewportSize({ width: 1440, height: 900 });
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("The owls sleep.");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(content(page)).toHaveText("The owls sing.");

  await openHistory(page);
  await expect(entries(page)).toHaveCount(3);
  await expect(entries(page).nth(0)).toContainText(/Discarded changes.*Owls 2.*by you$/);
  await expect(entries(page).nth(1)).toContainText(/Published.*by you · Readers see this$/);
  await expect(dialog(page).locator(".prose").nth(1)).toHaveText("The owls sleep.");
  const remove = dialog(page).getByRole("button", { name: "Delete this version" });
  await expect(remove).toBeVisible();
  await entries(page).nth(1).click();
  await expect(remove).toHaveCount(0);
  await entries(page).nth(0).click();
  await dialog(page).getByRole("button", { name: "Restore this" }).click();
  await expect(content(page)).toHaveText("The owls sleep.");
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(article(page)).toContainText("The owls sleep.");
  const { versions } = await ana.api.blogs.versions.query({ id });
  expect(versions.map(({ reason }) => reason)).toEqual([
    "published",
    "before-discard",
    "published",
    "published",
  ]);
});

test("shows either the list or a version on a phone, by keyboard too @more", async ({ site, open }) => {
  const { page } = await createVersions(site, open, "The owls hunt.", "The owls sing.", "The owls sleep.");
  await page.setViewportSize({ width: 390, height: 844 });
  const opener = page.getByRole("button", { name: "More", exact: true });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "History" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(entries(page)).toHaveCount(3);
  const box = (await dialog(page).boundingBox())!;
  expect([box.x, box.y, box.height]).toEqual([0, 0, 844]);
  // Desktop scrollbars take some of the width.
  expect(box.width).toBeGreaterThan(370);
  await expect(viewSelect(page)).toBeHidden();
  await entries(page).nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("heading", { level: 3 })).toBeFocused();
  await expect(entries(page)).toHaveCount(0);
  await expect(dialog(page).getByRole("button", { name: "Side by side" })).toHaveCount(0);
  await expect(dialog(page).locator(".prose del")).toHaveText("hunt");
  await expect(dialog(page).locator(".prose ins")).toHaveText("sing");
  await page.keyboard.press("Tab");
  await expect(viewSelect(page)).toBeFocused();
  await viewSelect(page).selectOption({ index: 3 });
  await expect(dialog(page).locator(".prose ins")).toHaveText("sleep");
  await dialog(page).getByRole("button", { name: "All versions" }).press("Enter");
  await expect(entries(page).nth(1)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(opener).toBeFocused();
});

test("loads a long history by a button and adds new versions live without changing the one shown @more", async ({
  site,
  open,
}) => {
  const { ana, id, page } = await createVersions(site, open, "The owls hunt.");
  for (let turn = 1; turn <= 25; turn++) await ana.api.blogs.update.mutate({ id, title: `Turn ${turn}` });
  await openHistory(page);
  await expect(entries(page)).toHaveCount(20);
  await entries(page).nth(1).click();
  await ana.api.blogs.update.mutate({ id, title: "Saved elsewhere" });
  await expect(entries(page)).toHaveCount(21);
  await expect(entries(page).nth(2)).toHaveAttribute("aria-current", "true");
  await viewSelect(page).selectOption("What differs from the form now");
  await expect(dialog(page).getByRole("region", { name: "Title" })).toContainText("Saved elsewhere");
  await dialog(page).getByRole("button", { name: "Show older" }).click();
  await expect(entries(page)).toHaveCount(27);
  await expect(dialog(page).getByRole("button", { name: "Show older" })).toHaveCount(0);
  const shownTitles = await entries(page).locator(".history-title").allTextContents();
  const turnTitles = Array.from({ length: 25 }, (_, index) => `Turn ${25 - index}`);
  expect(shownTitles).toEqual(["Saved elsewhere", ...turnTitles, "Owls"]);
});

test("says when versions can't be loaded and retries; a new blog has no history @more", async ({
  site,
  open,
}) => {
  const { page } = await createVersions(site, open, "The owls hunt.", "The owls sing.");
  await failRequests(page, "blogs.versions");
  await openHistory(page);
  const retry = dialog(page).getByRole("button", { name: "Retry" });
  await expect(retry).toBeVisible();
  await stopFailing(page);
  await failRequests(page, /blogs\.version(?!s)/);
  await retry.click();
  await expect(entries(page)).toHaveCount(2);
  await expect(retry).toBeVisible();
  await stopFailing(page);
  await retry.click();
  await expect(dialog(page).locator(".prose").first()).toBeVisible();

  await page.goto("/add-blog");
  await expect(content(page)).toBeVisible();
  await expect(page.getByRole("button", { name: "History" })).toHaveCount(0);
});

test("says when a blog has no versions yet @more", async ({ site, open }) => {
  const { page } = await createVersions(site, open, "The owls hunt.");
  await page.route(/blogs\.versions/, (route) =>
    route.fulfill({ json: [{ result: { data: { versions: [], hasMore: false, cursor: "0.0" } } }] }),
  );
  await openHistory(page);
  await expect(dialog(page).getByText("No versions yet")).toBeVisible();
  await expect(dialog(page).getByRole("button", { name: "Restore this" })).toHaveCount(0);
});

test("deletes a version after confirmation, and never the published one @more", async ({ site, open }) => {
  const { page, ana, id } = await createVersions(site, open, "One.", "Two.", "Three.");
  await page.setViewportSize({ width: 1440, height: 900 });
  await openHistory(page);
  await expect(entries(page)).toHaveCount(3);
  const remove = dialog(page).getByRole("button", { name: "Delete this version" });
  await expect(remove).toHaveCount(0);
  await entries(page).nth(1).click();
  await remove.click();
  await expect(dialog(page).getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(entries(page)).toHaveCount(3);
  await remove.click();
  await dialog(page).getByRole("button", { name: "Delete", exact: true }).click();
  await expect(entries(page)).toHaveCount(2);
  await expect(page.getByText("Version deleted.")).toBeVisible();
  const { versions } = await ana.api.blogs.versions.query({ id });
  expect(versions.map(({ title }) => title)).toEqual(["Owls 3", "Owls"]);
});
