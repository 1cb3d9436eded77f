import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface WithAxe {
  axe: { run: (context: object, options: RunOptions) => Promise<AxeResults> };
}

/**
 * Switches the page to light or dark. Waits until wide code is focusable and until no transition runs, for axe would measure
 * the colours halfway; one transition may start others, so it checks again.
 */
export async function setColorScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
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
    const runningAnimations = () =>
      document.getAnimations().filter(
        ({ playState, timeline, effect }) =>
          playState === "running" &&
          // Animations that follow the scroll position never finish, nor do those within a closed <details>.
          timeline instanceof DocumentTimeline &&
          (effect as KeyframeEffect).target?.checkVisibility(),
      );
    do {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      await Promise.allSettled(runningAnimations().map(({ finished }) => finished));
    } while (runningAnimations().length > 0);
  });
}

/**
 * Returns the violations that axe rates serious or critical, one line per element. Injects axe once per page: parsing it takes
 * as long as checking a small page.
 */
export async function seriousViolations(
  page: Page,
  { within, except = [], rules }: { within?: string; except?: string[]; rules?: string[] | undefined } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const context = {
    ...(within ? { include: [within] } : {}),
    // Focus traps send the focus back at once.
    exclude: ["[data-focus-trap]", ...except],
  };
  // Other results are only counted, which is faster.
  const options: RunOptions = { resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) };
  const { violations } = await page.evaluate(
    async (input) => (window as unknown as WithAxe).axe.run(input.context, input.options),
    { context, options },
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}
