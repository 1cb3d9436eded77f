import type { Page } from "@playwright/test";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { screens } from "./screens.ts";
import { expect, allowErrors, waitUntilUsable, sharedTest } from "./test-site.ts";
import { createScreensData, type ScreensData } from "./screens-data.ts";

/*
 * Every screen with its menus, dialogs and messages, light on a desktop and dark on a phone: no serious or critical axe
 * violation, nothing wider than the window, no field that iOS zooms in on, no console message.
 */

sharedTest.describe.configure({ mode: "parallel" });

const test = sharedTest.extend<object, { data: ScreensData }>({
  data: [
    async ({ sharedSite }, provide) => provide(await createScreensData(sharedSite)),
    { scope: "worker" },
  ],
});

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };
const byDay = { colorScheme: "light", reducedMotion: "reduce" } as const;

/** The axe rules about colours, which the theme changes; the window's width hardly does. */
const inTheme = ["color-contrast", "link-in-text-block"];

/** Elements with a writer's text colour. A filter adapts it to the dark theme, which axe does not see. */
const inks = ".prose [style^='color']";

const fields =
  "input:not([type=checkbox], [type=radio], [type=file], [type=hidden]), textarea, select, [contenteditable=true]";

/**
 * Checks the page as it is: on a desktop in the light theme, on a phone in the dark one. Colours are checked in the dark theme
 * on the desktop, too, where most is visible at once.
 */
async function checkPage(page: Page, pageName: string, isWide: boolean): Promise<void> {
  const appearances = isWide
    ? [{ colorScheme: "light" }, { colorScheme: "dark", rules: inTheme }]
    : [{ colorScheme: "dark" }];
  for (const { colorScheme, rules } of appearances as { colorScheme: "light" | "dark"; rules?: string[] }[]) {
    await setColorScheme(page, colorScheme);
    const serious = (await seriousViolations(page, { except: [inks], rules }))
      // Tables in the editor scroll by the caret, and the slash menu is controlled from the text.
      .filter((violation) => !/^scrollable-region-focusable: <(table|[^>]*editor-slash)/.test(violation));
    expect.soft(serious, `${pageName}, ${colorScheme}`).toEqual([]);
  }
  const { content, window: windowWidth } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect.soft(content, `${pageName}: wider than the window`).toBeLessThanOrEqual(windowWidth);
  const smallFields = await page
    .locator(fields)
    .evaluateAll((all) =>
      all
        .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => field.outerHTML.slice(0, 100)),
    );
  expect.soft(smallFields, `${pageName}: fields under 16 px`).toEqual([]);
}

for (const { name, viewer, path, heading, prepare, notFound, inGate } of screens) {
  test(`passes axe and fits the window on a phone and a desktop, light and dark: ${name}${inGate ? "" : " @more"}`, async ({
    data,
    open,
  }) => {
    const page = await open(viewer && data[viewer], { viewport: wide, ...byDay });
    if (notFound) allowErrors(page);
    for (const viewport of [wide, narrow]) {
      // A page that is shrunk fetches its cover again in a size that it then does not need, and logs that.
      if (viewport === narrow) {
        await page.goto("about:blank");
        await page.setViewportSize(viewport);
      }
      await page.goto(typeof path === "string" ? path : path(data));
      await expect(page.getByRole("heading", { level: 1 }).first()).toHaveText(heading);
      await waitUntilUsable(page);
      await prepare?.(page, viewport === wide);
      await checkPage(page, `${name} at ${viewport.width}`, viewport === wide);
    }
  });
}
