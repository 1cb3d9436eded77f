import type { Page } from "@playwright/test";
import { expect } from "./site.ts";

export const content = (page: Page) => page.getByRole("textbox", { name: "Content" });
export const bar = (page: Page) => page.getByRole("toolbar", { name: "Formatting" });

/** Opens the form and writes a line for each text, all of it selected. */
export async function write(page: Page, ...lines: string[]): Promise<void> {
  await page.goto("/add-blog");
  await expect(bar(page).getByRole("button", { name: "Bold" })).toBeVisible();
  await content(page).click();
  for (const [number, line] of lines.entries()) {
    if (number > 0) await page.keyboard.press("Enter");
    await page.keyboard.type(line);
  }
  await page.keyboard.press("Control+A");
}
