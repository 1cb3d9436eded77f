import type { Browser as Chromium, Page } from "@playwright/test";
import type { EntryOrder } from "../../src/shared/entries.ts";
import { performByClient, type Action } from "./actions.ts";
import { DraftFollower } from "./draft-follower.ts";
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
  beforeRecovery?: (world: World) => Promise<unknown>;
}

/** Runs a history, and compares every open page with a fresh load by the same person. */
export async function runHistory(
  plan: Plan,
  template: Template,
  chromium: Chromium,
  { settleTimeout = 10_000, reloadBeforeCompare = false, beforeRecovery }: RunOptions = {},
): Promise<HistoryResult> {
  await using world = await World.open(template, chromium, plan);
  await using _streams = world.secretWords.watchStreams();
  await using followers = new AsyncDisposableStack();
  const followed = plan.followed.map((draft) => followers.use(new DraftFollower(world, draft)));
  const outcomes: string[] = plan.acts.map(() => "");
  const parallelActs: Promise<unknown>[] = [];
  for (const [index, act] of plan.acts.entries()) {
    const running = (
      "by" in act ? world.secretWords.during(act, () => perform(act, world)) : injectFault(act, world)
    ).then(
      (outcome) => (outcomes[index] = outcome),
      (error: unknown) => (outcomes[index] = `failed: ${String(error).split("\n")[0]}`),
    );
    if ("by" in act && act.apart) parallelActs.push(running);
    else await running;
  }
  await beforeRecovery?.(world);
  await clearAllFaults(world);
  await Promise.all(parallelActs);
  // A page gives up a silently dead live connection after 15 s, the browser one over which code was loading after 45 s.
  const isSilent = plan.acts.some(({ kind }) => kind.startsWith("swallow") || kind === "sleep");
  const deadline = Date.now() + (isSilent ? settleTimeout * 7 : settleTimeout);
  // Comparing is mostly waiting, so all pages are compared in parallel.
  const compared = await Promise.all(
    world.windows.map(async (openPage) => {
      if (reloadBeforeCompare || !(await hasLoaded(openPage))) await reopen(openPage, world);
      await resetPage(openPage);
      return { page: describePage(openPage.opened), lines: await compare(openPage, world, deadline) };
    }),
  );
  const followedTexts = await Promise.all(
    followed.map(async (page) => ({ page: page.name, lines: await page.compare(isSilent, deadline) })),
  );
  const differences = [...compared, ...followedTexts].filter(({ lines }) => lines.length > 0);
  differences.push(...world.secretWords.leaks);
  return { plan, outcomes, differences };
}

async function perform(act: Action, world: World): Promise<string> {
  const uiResult = act.through === "window" ? await performInWindow(act, world) : undefined;
  return uiResult ?? performByClient(act, world);
}

const isOnSite = ({ page }: OpenPage): boolean => page.url().startsWith("http");

/** Whether the browser shows its own page instead, such as an error, which never recovers. */
const isBrowserErrorPage = ({ page }: OpenPage): Promise<boolean> =>
  page
    .evaluate(() => document.readyState === "complete" && !document.getElementById("main"))
    .catch(() => false);

/** Whether the page loaded. If the connection or the server failed meanwhile, half a page cannot be live. */
const hasLoaded = async (openPage: OpenPage): Promise<boolean> =>
  isOnSite(openPage) &&
  !(await isBrowserErrorPage(openPage)) &&
  (await waitForHydration(openPage.page, 10_000).then(
    () => true,
    () => false,
  ));

async function reopen(openPage: OpenPage, world: World): Promise<void> {
  await openPage.page.goto(isOnSite(openPage) ? openPage.page.url() : await world.addressOf(openPage.opened));
  await waitForHydration(openPage.page);
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

/** Returns where the open page differs from a fresh load: [] as soon as they agree, or the last differences at `deadline`. */
async function compare(openPage: OpenPage, world: World, deadline: number): Promise<string[]> {
  for (;;) {
    const isLast = Date.now() > deadline;
    const fresh = await loadFresh(openPage, world);
    try {
      // Open pages may need time to update, and fresh ones to load completely: on a busy machine the bell has no number yet.
      const patience = isLast ? 20_000 : 3_000;
      let order: EntryOrder = "newest";
      let end = Date.now() + patience;
      for (let agreements = 0; ;) {
        const open = await takeSnapshot(openPage.page, order);
        const now = await takeSnapshot(fresh, order);
        const lines = diffSnapshots(open, now);
        const isWhole = open.entries !== "partly" && now.entries !== "partly";
        agreements = lines.length === 0 && isWhole ? agreements + 1 : 0;
        // Twice in a row: once could be a coincidence between two states.
        if (agreements === 2) {
          if (open.entries === "none" || order === "oldest") return [];
          order = "oldest";
          agreements = 0;
          end = Date.now() + patience;
        }
        if (agreements === 0 && Date.now() > end) {
          if (isLast) return lines.length > 0 ? lines : ["- entries | partly", "+ entries | all"];
          break;
        }
        await openPage.page.waitForTimeout(100);
      }
    } finally {
      await fresh.close();
    }
  }
}

/** Returns the same address, fully loaded in a new tab of the same person. */
async function loadFresh({ opened, page }: OpenPage, world: World): Promise<Page> {
  const tab = await world.newTab(opened.who);
  await loadCompletely(tab, page.url());
  return tab;
}

/** Returns a history and its differences as text, for debugging. */
export function describeResult({ plan, outcomes, differences }: HistoryResult): string {
  return [
    `seed ${plan.seed}`,
    "  open:",
    ...plan.opened.map((opened) => `    ${describePage(opened)}`),
    "  acts:",
    ...plan.acts.map((act, index) => `    ${index}. ${describeAct(act)}: ${outcomes[index]}`),
    ...differences.flatMap(({ page, lines }) => [`  ${page}:`, ...lines.map((line) => `    ${line}`)]),
  ].join("\n");
}
