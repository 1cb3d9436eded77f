import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface WithAxe {
  axe: { run: (context: object, options: RunOptions) => Promise<AxeResults> };
}

/**
 * Has the page by day or by night, when wide code can be moved by keys and with all its colours: one that is on its way is
 * inherited, and others set out after it.
 */
export async function turnTo(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.waitForFunction(
    () =>
      !window.early &&
      [...document.querySelectorAll<HTMLElement>(".prose pre")].every(
        (code) =>
          !code.checkVisibility() ||
          code.scrollWidth <= code.clientWidth ||
          code.tabIndex === 0 ||
          code.isContentEditable,
      ),
  );
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(async () => {
    const underWay = () =>
      document.getAnimations().filter(
        ({ playState, timeline, effect }) =>
          playState === "running" &&
          // Animations that follow the scroll position never finish, nor do those within a closed <details>.
          timeline instanceof DocumentTimeline &&
          (effect as KeyframeEffect).target?.checkVisibility(),
      );
    do {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      await Promise.allSettled(underWay().map(({ finished }) => finished));
    } while (underWay().length > 0);
  });
}

/**
 * What axe calls serious or critical on the page as it stands, a line for each element. The program is brought into a page
 * once, however often it is asked: it is large, and reading it takes as long as looking at a small page.
 */
export async function graveFaults(
  page: Page,
  { within, except = [], rules }: { within?: string; except?: string[]; rules?: string[] | undefined } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const context = {
    ...(within ? { include: [within] } : {}),
    // Where the focus is turned back into a menu or dialog: nobody stays on it.
    exclude: ["[data-focus-trap]", ...except],
  };
  // The rest is not described, only counted.
  const options: RunOptions = { resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) };
  const { violations } = await page.evaluate(
    async (asked) => (window as unknown as WithAxe).axe.run(asked.context, asked.options),
    { context, options },
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}
