import type { Page } from "@playwright/test";
import type { Resident } from "../support/browser.ts";
import { content, tools } from "./editor.ts";
import { expect, sharedTest as test } from "./site.ts";

async function openMenu(page: Page, width: number, height: number) {
  await page.setViewportSize({ width, height });
  await page.goto("/add-blog");
  await tools(page);
  await content(page).click();
  await page.keyboard.type("/");
  const menu = page.getByRole("listbox", { name: "Insert" });
  await expect(menu).toBeVisible();
  return menu;
}

test.describe("what a slash offers", () => {
  let ana: Resident;
  test.beforeEach(async ({ site }) => {
    ana = await site.resident("Ana Torres");
  });

  test("is shown whole in a window with room for all of it", async ({ open }) => {
    const page = await open(ana);
    const menu = await openMenu(page, 1440, 1400);
    await expect
      .poll(() => menu.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
      .toBe(0);
    await expect(menu.getByRole("option").last()).toBeInViewport({ ratio: 1 });
  });

  for (const [width, height] of [
    [390, 844],
    [820, 1180],
    [1440, 900],
    [1440, 600],
  ] as const)
    test(`has every chosen item in sight at ${width} × ${height}`, async ({ open }) => {
      const page = await open(ana);
      const menu = await openMenu(page, width, height);
      const count = await menu.getByRole("option").count();
      for (let at = 0; at < count; at++) {
        const item = menu.getByRole("option").nth(at);
        await expect(item).toHaveAttribute("aria-selected", "true");
        await expect(item).toBeInViewport({ ratio: 0.95 });
        await page.keyboard.press("ArrowDown");
      }
    });
});
