import type { Browser as Chromium, Page } from "@playwright/test";
import { performByClient, type Action } from "./actions.ts";
import { performInWindow } from "./ui-driver.ts";
import { describeAct, describePage, type Plan } from "./generator.ts";
import { waitForHydration, diffSnapshots, loadCompletely, takeSnapshot } from "./snapshot.ts";
import { World, type OpenPage, type Template } from "./world.ts";
import { injectFault, clearAllFaults } from "./faults.ts";

export interface Difference {
  page: string;
  lines: string[];
}

export interface HistoryResult {
  plan: Plan;
  /** The result of each action. */
  outcomes: string[];
  differences: Difference[];
}

export interface RunOptions {
  /** How long a page may be out of date after everything came to rest, in milliseconds. */
  settleTimeout?: number;
  /** Reloads every open page before it is compared. */
  reloadBeforeCompare?: boolean;
  /** Called after the last action, before all faults end. */
  beforeRecovery?: (scene: World) => Promise<unknown>;
}

/** Runs a history, and compares every open page with a fresh load by the same person. */
export async function runHistory(
  plan: Plan,
  template: Template,
  chromium: Chromium,
  {
    settleTimeout: patience = 10_000,
    reloadBeforeCompare: reloads = false,
    beforeRecovery: atEnd,
  }: RunOptions = {},
): Promise<HistoryResult> {
  await using scene = await World.open(template, chromium, plan.opened);
  const came: string[] = plan.acts.map(() => "");
  const apart: Promise<unknown>[] = [];
  for (const [index, act] of plan.acts.entries()) {
    const doing = ("by" in act ? perform(act, scene) : injectFault(act, scene)).then(
      (how) => (came[index] = how),
      (error: unknown) => (came[index] = `failed: ${String(error).split("\n")[0]}`),
    );
    if ("by" in act && act.apart) apart.push(doing);
    else await doing;
  }
  await atEnd?.(scene);
  await clearAllFaults(scene);
  await Promise.all(apart);
  // A silently dead connection is given up after 15 s, and then fetched again.
  const isSilent = plan.acts.some(({ kind }) => kind.startsWith("swallow") || kind === "sleep");
  const until = Date.now() + (isSilent ? patience * 3 : patience);
  // Comparing is mostly waiting, so all pages are compared in parallel.
  const compared = await Promise.all(
    scene.windows.map(async (one) => {
      if (reloads || !(await hasLoaded(one))) await reopen(one, scene);
      await resetPage(one);
      return { page: describePage(one.opened), lines: await compare(one, scene, until) };
    }),
  );
  const different = compared.filter(({ lines }) => lines.length > 0);
  return { plan, outcomes: came, differences: different };
}

async function perform(act: Action, scene: World): Promise<string> {
  const byHand = act.through === "window" ? await performInWindow(act, scene) : undefined;
  return byHand ?? performByClient(act, scene);
}

const isOnSite = ({ page }: OpenPage): boolean => page.url().startsWith("http");

/** Whether the browser shows its own page instead, such as an error, which never recovers. */
const isBrowserErrorPage = ({ page }: OpenPage): Promise<boolean> =>
  page
    .evaluate(() => document.readyState === "complete" && !document.getElementById("main"))
    .catch(() => false);

/** Whether the page loaded. If the connection or the server failed meanwhile, half a page cannot be live. */
const hasLoaded = async (one: OpenPage): Promise<boolean> =>
  isOnSite(one) &&
  !(await isBrowserErrorPage(one)) &&
  (await waitForHydration(one.page, 10_000).then(
    () => true,
    () => false,
  ));

async function reopen(one: OpenPage, scene: World): Promise<void> {
  await one.page.goto(isOnSite(one) ? one.page.url() : await scene.addressOf(one.opened));
  await waitForHydration(one.page);
}

/** Resets the page: closes dialogs, moves the pointer and the focus away, scrolls to the top. */
async function resetPage({ page }: OpenPage): Promise<void> {
  await page.keyboard.press("Escape");
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo({ top: 0, behavior: "instant" });
  });
}

/** Returns where the open page differs from a fresh load: [] as soon as they agree, or the last differences at `until`. */
async function compare(one: OpenPage, scene: World, until: number): Promise<string[]> {
  for (;;) {
    const isLast = Date.now() > until;
    const fresh = await loadFresh(one, scene);
    try {
      // Open pages may need time to update, and fresh ones to load completely.
      const end = Date.now() + (isLast ? 5_000 : 3_000);
      for (let same = 0; ;) {
        const lines = diffSnapshots(await takeSnapshot(one.page), await takeSnapshot(fresh));
        same = lines.length === 0 ? same + 1 : 0;
        // Twice in a row: once could be a coincidence between two states.
        if (same === 2) return [];
        if (same === 0 && Date.now() > end) {
          if (isLast) return lines;
          break;
        }
        await one.page.waitForTimeout(100);
      }
    } finally {
      await fresh.close();
    }
  }
}

/** Returns the same address, fully loaded in a new tab of the same person. */
async function loadFresh({ opened, page }: OpenPage, scene: World): Promise<Page> {
  const tab = await scene.newTab(opened.who);
  await loadCompletely(tab, page.url());
  return tab;
}

/** Returns a history and its differences as text, for debugging. */
export function describeResult({ plan, outcomes: came, differences: different }: HistoryResult): string {
  return [
    `seed ${plan.seed}`,
    "  open:",
    ...plan.opened.map((opened) => `    ${describePage(opened)}`),
    "  acts:",
    ...plan.acts.map((act, index) => `    ${index}. ${describeAct(act)}: ${came[index]}`),
    ...different.flatMap(({ page, lines }) => [`  ${page}:`, ...lines.map((line) => `    ${line}`)]),
  ].join("\n");
}
