import type { Page } from "@playwright/test";
import { graveFaults, turnTo } from "./axe.ts";
import { screens } from "./screens.ts";
import { expect, forgive, ready, sharedTest } from "./site.ts";
import { settle, type Village } from "./village.ts";

/*
 * Every screen, by day on a desk and by night on a phone: nothing that axe calls serious or critical, nothing wider than the
 * window, no word on the console. With the menus, dialogs and messages that open on them.
 */

sharedTest.describe.configure({ mode: "parallel" });

const test = sharedTest.extend<object, { village: Village }>({
  village: [async ({ sharedSite }, provide) => provide(await settle(sharedSite)), { scope: "worker" }],
});

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };
const byDay = { colorScheme: "light", reducedMotion: "reduce" } as const;

/** The colours change with the theme, and with the width no more than where things stand. */
const inTheme = ["color-contrast", "link-in-text-block"];

/** Inks that a writer chose are turned round for the night by a filter, which axe does not see. */
const inks = ".prose [style^='color']";

/**
 * What is wrong with the page as it stands. By day all is looked at on a desk, by night on a phone; the colours of the
 * night on a desk too, where the most is shown at once.
 */
async function examine(page: Page, what: string, isWide: boolean): Promise<void> {
  const looks = isWide
    ? [{ colorScheme: "light" }, { colorScheme: "dark", rules: inTheme }]
    : [{ colorScheme: "dark" }];
  for (const { colorScheme, rules } of looks as { colorScheme: "light" | "dark"; rules?: string[] }[]) {
    await turnTo(page, colorScheme);
    const grave = (await graveFaults(page, { except: [inks], rules }))
      // In the editor the caret moves tables, and what a slash offers is gone through from the text.
      .filter((found) => !/^scrollable-region-focusable: <(table|[^>]*editor-slash)/.test(found));
    expect.soft(grave, `${what}, ${colorScheme}`).toEqual([]);
  }
  const { content, window: room } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect.soft(content, `${what}: wider than the window`).toBeLessThanOrEqual(room);
}

for (const { name, who, path, shows, bring, notFound, inGate } of screens) {
  test(`${name} can be used by everybody, on a phone and a desk, by day and by night${inGate ? "" : " @more"}`, async ({
    village,
    open,
  }) => {
    const page = await open(who && village[who], { viewport: wide, ...byDay });
    if (notFound) forgive(page);
    for (const viewport of [wide, narrow]) {
      // A page that is shrunk fetches its cover anew, in a size that it then does not need: it complains of that.
      if (viewport === narrow) {
        await page.goto("about:blank");
        await page.setViewportSize(viewport);
      }
      await page.goto(typeof path === "string" ? path : path(village));
      await expect(page.getByRole("heading", { level: 1 }).first()).toHaveText(shows);
      await ready(page);
      await bring?.(page, viewport === wide);
      await examine(page, `${name} at ${viewport.width}`, viewport === wide);
    }
  });
}
