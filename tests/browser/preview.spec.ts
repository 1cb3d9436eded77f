import type { Page } from "@playwright/test";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations } from "./axe.ts";
import { content, openPublishSheet } from "./editor-helpers.ts";
import { expect, allowErrors, distanceMoved, sharedTest as test } from "./test-site.ts";

/* The preview window, which shows the text as its readers will see it. */

const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const previewBar = (page: Page) => page.getByRole("complementary", { name: "Preview" });
const prose = (page: Page) => page.locator(".prose");

/** Presses Preview in the form and returns the window that opens. */
async function openPreview(form: Page): Promise<Page> {
  const popup = form.waitForEvent("popup");
  await form.getByRole("button", { name: "Preview" }).click();
  const preview = await popup;
  await preview.waitForURL(/\/edit\/[\da-f-]{36}\/preview$/);
  await expect(previewBar(preview)).toBeVisible();
  return preview;
}

test("previews a new blog live while it is written, keeps the scroll position, and publishes it from there", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const form = await open(ana);
  await form.goto("/add-blog");
  await form.getByRole("button", { name: "Preview" }).click();
  await expect(form.getByText("There’s nothing to preview yet.")).toBeVisible();
  await title(form).fill("Night trains");
  await content(form).click();
  for (let line = 1; line <= 30; line++) {
    await form.keyboard.insertText(`They leave late, the ${line}th of them.`);
    await form.keyboard.press("Enter");
  }
  await form.keyboard.type("And arrive");
  const preview = await openPreview(form);
  await expect(preview.getByRole("heading", { level: 1 })).toHaveText("Night trains");
  await expect(prose(preview)).toContainText("And arrive");
  await expect(previewBar(preview)).toContainText("readers don’t see this yet");
  expect(await seriousViolations(preview)).toEqual([]);

  await preview.evaluate(() => scrollTo(0, 400));
  const read = preview.getByText("the 20th of them");
  const before = await read.boundingBox();
  await form.bringToFront();
  await content(form).click();
  await form.keyboard.press("ControlOrMeta+End");
  await form.keyboard.type(" early.");
  await expect(prose(preview)).toContainText("And arrive early.");
  await form.keyboard.press("ControlOrMeta+Home");
  await form.keyboard.type("Before all. ");
  await title(form).fill("Night trains of the valley");
  await expect(prose(preview)).toContainText("Before all. They leave");
  await expect(preview.getByRole("heading", { level: 1 })).toHaveText("Night trains of the valley");
  expect(await distanceMoved(read, before)).toBeLessThan(3);

  await form.getByRole("button", { name: "Preview" }).click();
  expect(form.context().pages()).toHaveLength(2);
  await previewBar(preview).getByRole("button", { name: "Publish" }).click();
  await preview.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
  await preview.waitForURL(/\/blog\/night-trains-of-the-valley/);
  await expect(prose(preview)).toContainText("And arrive early.");
  const guest = await open();
  await guest.goto(new URL(preview.url()).pathname);
  await expect(prose(guest)).toContainText("Before all. They leave");
});

test("shows unpublished changes in the preview alone, and leads back to the open form @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({ title: "Owls", document: paragraphs("They hoot.") }),
  );
  const form = await open(ana);
  await form.goto(`/edit/${slug}`);
  await content(form).click();
  await form.keyboard.press("ControlOrMeta+Home");
  await form.keyboard.type("At dusk. ");
  const preview = await openPreview(form);
  await expect(prose(preview)).toHaveText("At dusk. They hoot.");
  for (const name of ["Like", "Save", "Comments", "Follow", "More"])
    await expect(preview.locator("article").getByRole("button", { name })).toHaveCount(0);
  const reader = await open();
  await reader.goto(`/blog/${slug}`);
  await expect(prose(reader)).toHaveText("They hoot.");

  const closed = preview.waitForEvent("close");
  await previewBar(preview).getByRole("link", { name: "Back to writing" }).click();
  await closed;
  await openPublishSheet(form);
  await form.getByRole("button", { name: "Update Blog" }).click();
  await form.waitForURL(`/blog/${slug}`);
  await expect(prose(reader)).toHaveText("At dusk. They hoot.");

  const standalone = await open(ana);
  const { id } = await ana.api.blogs.bySlug.query({ slug });
  await standalone.goto(`/edit/${id}/preview`);
  await expect(previewBar(standalone)).toContainText("readers see this version");
  await expect(previewBar(standalone).getByRole("button")).toHaveCount(0);
  await previewBar(standalone).getByRole("link", { name: "Back to writing" }).click();
  await expect(content(standalone)).toContainText("At dusk. They hoot.");
});

test("caches no preview in the service worker, and removes it with its blog @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { id } = await ana.api.blogs.create.mutate(
    aBlog({ title: "A secret", draft: true, document: paragraphs("Not for you.") }),
  );
  const page = await open(ana, { serviceWorkers: "allow" });
  await page.goto("/home");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.goto(`/edit/${id}/preview`);
  await expect(prose(page)).toHaveText("Not for you.");
  const cachedUrls = await page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({ url }) => url);
  });
  expect(cachedUrls.filter((url) => url.includes("/preview"))).toEqual([]);
  // The page refetches the deleted blog, which fails.
  allowErrors(page);
  await ana.api.blogs.remove.mutate({ id });
  await expect(page.getByText("Not for you.")).toHaveCount(0);
});
