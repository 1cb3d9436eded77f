import type { Locator, Page } from "@playwright/test";
import { expect } from "./site.ts";

export const content = (page: Page) => page.getByRole("textbox", { name: "Content" });
export const bar = (page: Page) => page.getByRole("toolbar", { name: "Formatting" });

/** All tools, in sight: in wide windows they are shown to who asks for them. */
export async function tools(page: Page): Promise<Locator> {
  const choice = page.getByRole("button", { name: "All tools" });
  await expect(bar(page).or(choice).first()).toBeVisible();
  // What was chosen on this device before is known when the page is taken over.
  await page.waitForFunction(() => !window.early);
  if ((await choice.isVisible()) && (await choice.getAttribute("aria-expanded")) === "false")
    await choice.click();
  await expect(bar(page).getByRole("button", { name: "Bold" })).toBeVisible();
  return bar(page);
}

/** The server has what was typed. */
export const saved = (page: Page) => expect(page.getByText("Saved", { exact: true })).toBeVisible();

/** What is said of a blog beside its title and text, and the button that publishes: opens the sheet it stands in. */
export async function details(page: Page): Promise<Locator> {
  const sheet = page.getByRole("dialog", { name: /^(Publish|Update)$/ });
  if (!(await sheet.isVisible())) await page.getByRole("button", { name: /^(Publish|Update)…$/ }).click();
  await expect(sheet).toBeVisible();
  return sheet;
}

/** Opens the form of a blog and waits until it can be written in. */
export async function edit(page: Page, slug: string): Promise<void> {
  await page.goto(`/edit/${slug}`);
  await expect(content(page)).toBeVisible();
}

/** Sets the caret at the end of the text. */
export async function toEnd(page: Page): Promise<void> {
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+End");
}

/** Opens the form and writes a line for each text, all of it selected. */
export async function write(page: Page, ...lines: string[]): Promise<void> {
  await page.goto("/add-blog");
  await tools(page);
  await content(page).click();
  for (const [number, line] of lines.entries()) {
    if (number > 0) await page.keyboard.press("Enter");
    await page.keyboard.type(line);
  }
  await page.keyboard.press("Control+A");
}
