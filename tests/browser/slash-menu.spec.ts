import type { Page } from "@playwright/test";
import { content, openToolbar } from "./editor-helpers.ts";
import { expect, sharedTest as test } from "./test-site.ts";

async function openSlashMenu(page: Page, width: number, height: number) {
  await page.setViewportSize({ width, height });
  await page.goto("/add-blog");
  await openToolbar(page);
  await content(page).click();
  await page.keyboard.type("/");
  const menu = page.getByRole("listbox", { name: "Insert" });
  await expect(menu).toBeVisible();
  return menu;
}

test("shows all its items at once in a tall window", async ({ site, open }) => {
  const page = await open(await site.createAccount("Ana Torres"));
  const menu = await openSlashMenu(page, 1440, 1400);
  await expect
    .poll(() => menu.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
    .toBe(0);
  await expect(menu.getByRole("option").last()).toBeInViewport({ ratio: 1 });
});

test("scrolls to the selected item in windows too low for all of them", async ({ site, open }) => {
  for (const [width, height] of [
    [390, 844],
    [820, 1180],
    [1440, 600],
  ] as const) {
    const page = await open(await site.createAccount("Ana Torres"));
    const menu = await openSlashMenu(page, width, height);
    for (const item of await menu.getByRole("option").all()) {
      await expect(item).toHaveAttribute("aria-selected", "true");
      await expect(item).toBeInViewport({ ratio: 0.95 });
      await page.keyboard.press("ArrowDown");
    }
  }
});
