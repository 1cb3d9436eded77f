import type { Browser as Chromium, Page } from "@playwright/test";
import { doByClient, type Deed } from "./deeds.ts";
import { doByHand } from "./hands.ts";
import { actInWords, pageInWords, type Plan } from "./plan.ts";
import { awake, differences, loadWhole, read } from "./reading.ts";
import { Scene, type OpenPage, type Template } from "./scene.ts";
import { make, makeWell } from "./troubles.ts";

export interface Difference {
  page: string;
  lines: string[];
}

export interface Told {
  plan: Plan;
  /** What came of each act. */
  came: string[];
  different: Difference[];
}

export interface Ways {
  /** For how long a page may be behind once all is at rest. */
  patience?: number;
  /** Loads every open page anew before it is compared. */
  reloads?: boolean;
  /** Called when all has happened, before all is made well. */
  atEnd?: (scene: Scene) => Promise<unknown>;
}

/** Lets a history happen, and compares every page that stands open with a fresh load of it by the same person. */
export async function live(
  plan: Plan,
  template: Template,
  chromium: Chromium,
  { patience = 10_000, reloads = false, atEnd }: Ways = {},
): Promise<Told> {
  await using scene = await Scene.open(template, chromium, plan.opened);
  const came: string[] = plan.acts.map(() => "");
  const apart: Promise<unknown>[] = [];
  for (const [index, act] of plan.acts.entries()) {
    const doing = ("by" in act ? perform(act, scene) : make(act, scene)).then(
      (how) => (came[index] = how),
      (error: unknown) => (came[index] = `failed: ${String(error).split("\n")[0]}`),
    );
    if ("by" in act && act.apart) apart.push(doing);
    else await doing;
  }
  await atEnd?.(scene);
  await makeWell(scene);
  await Promise.all(apart);
  // What died without a word is given up after fifteen seconds, and then asked for again.
  const isSilent = plan.acts.some(({ kind }) => kind.startsWith("swallow") || kind === "sleep");
  const until = Date.now() + (isSilent ? patience * 3 : patience);
  // Most of what each takes is waiting: they are looked at all at once.
  const compared = await Promise.all(
    scene.windows.map(async (one) => {
      if (reloads || !(await hasLoaded(one))) await openAgain(one, scene);
      await settleDown(one);
      return { page: pageInWords(one.opened), lines: await compare(one, scene, until) };
    }),
  );
  const different = compared.filter(({ lines }) => lines.length > 0);
  return { plan, came, different };
}

async function perform(act: Deed, scene: Scene): Promise<string> {
  const byHand = act.through === "window" ? await doByHand(act, scene) : undefined;
  return byHand ?? doByClient(act, scene);
}

const isOurs = ({ page }: OpenPage): boolean => page.url().startsWith("http");

/** Whether the browser shows something else in the page's place, that nothing more comes of. */
const isInstead = ({ page }: OpenPage): Promise<boolean> =>
  page
    .evaluate(() => document.readyState === "complete" && !document.getElementById("main"))
    .catch(() => false);

/** Not where the line died or the server was away while the browser loaded it: half a page can't follow anything. */
const hasLoaded = async (one: OpenPage): Promise<boolean> =>
  isOurs(one) &&
  !(await isInstead(one)) &&
  (await awake(one.page, 10_000).then(
    () => true,
    () => false,
  ));

async function openAgain(one: OpenPage, scene: Scene): Promise<void> {
  await one.page.goto(isOurs(one) ? one.page.url() : await scene.addressOf(one.opened));
  await awake(one.page);
}

/** Whoever sat there has looked up: nothing is pointed at, no dialog is open, the page stands at its beginning. */
async function settleDown({ page }: OpenPage): Promise<void> {
  await page.keyboard.press("Escape");
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo({ top: 0, behavior: "instant" });
  });
}

/** What the open page says otherwise than a fresh load: nothing as soon as they are the same; else what is left in the end. */
async function compare(one: OpenPage, scene: Scene, until: number): Promise<string[]> {
  for (;;) {
    const isLast = Date.now() > until;
    const fresh = await loadFresh(one, scene);
    try {
      // Some open pages follow at once, and some need their time; what is loaded anew is not whole at once either.
      const end = Date.now() + (isLast ? 5_000 : 3_000);
      for (let same = 0; ;) {
        const lines = differences(await read(one.page), await read(fresh));
        same = lines.length === 0 ? same + 1 : 0;
        // Not in passing, on the way from one state to another.
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

/** The same address in a new tab of the same person, when all of it has come. */
async function loadFresh({ opened, page }: OpenPage, scene: Scene): Promise<Page> {
  const tab = await scene.tab(opened.who);
  await loadWhole(tab, page.url());
  return tab;
}

/** A history and what was different in the end, for whoever looks for the reason. */
export function inWords({ plan, came, different }: Told): string {
  return [
    `seed ${plan.seed}`,
    "  open:",
    ...plan.opened.map((opened) => `    ${pageInWords(opened)}`),
    "  acts:",
    ...plan.acts.map((act, index) => `    ${index}. ${actInWords(act)}: ${came[index]}`),
    ...different.flatMap(({ page, lines }) => [`  ${page}:`, ...lines.map((line) => `    ${line}`)]),
  ].join("\n");
}
