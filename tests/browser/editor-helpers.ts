import type { Locator, Page } from "@playwright/test";
import { expect } from "./test-site.ts";

export const content = (page: Page) => page.getByRole("textbox", { name: "Content" });
export const toolbar = (page: Page) => page.getByRole("toolbar", { name: "Formatting" });

/** Opens the full toolbar, which is hidden behind "All tools" in wide windows. */
export async function openToolbar(page: Page): Promise<Locator> {
  const choice = page.getByRole("button", { name: "All tools" });
  await expect(toolbar(page).or(choice).first()).toBeVisible();
  // The device's choice is known only after hydration.
  await page.waitForFunction(() => !window.early);
  if ((await choice.isVisible()) && (await choice.getAttribute("aria-expanded")) === "false")
    await choice.click();
  await expect(toolbar(page).getByRole("button", { name: "Bold" })).toBeVisible();
  return toolbar(page);
}

/** Waits until the server has what was typed. */
export const expectSaved = (page: Page) => expect(page.getByText("Saved", { exact: true })).toBeVisible();

/** Opens the sheet with the blog's details and the button that publishes. */
export async function openPublishSheet(page: Page): Promise<Locator> {
  const sheet = page.getByRole("dialog", { name: /^(Publish|Update)$/ });
  if (!(await sheet.isVisible())) await page.getByRole("button", { name: /^(Publish|Update)…$/ }).click();
  await expect(sheet).toBeVisible();
  return sheet;
}

/** Opens a blog's form and waits for its editor. */
export async function openBlogForm(page: Page, slug: string): Promise<void> {
  await page.goto(`/edit/${slug}`);
  await expect(content(page)).toBeVisible();
}

/** Moves the caret to the end of the text. */
export async function moveCaretToEnd(page: Page): Promise<void> {
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+End");
}

/** Opens a new blog, types the lines and selects all. */
export async function writeNewBlog(page: Page, ...lines: string[]): Promise<void> {
  await page.goto("/add-blog");
  await openToolbar(page);
  await content(page).click();
  for (const [number, line] of lines.entries()) {
    if (number > 0) await page.keyboard.press("Enter");
    await page.keyboard.type(line);
  }
  await page.keyboard.press("Control+A");
}
