import { diffArrays } from "diff";
import type { Page } from "@playwright/test";
import type { EntryOrder } from "../../src/shared/entries.ts";

/** What a page shows: its lines in order, each with its part of the page. */
export interface Snapshot {
  lines: string[];
  /** Recommendations by the blog's address. Each load chooses its own, so only those in both are compared. */
  picks: Record<string, string>;
  /** Whether the page shows a live blog, and whether all of its entries in the order asked for. */
  entries: "none" | "partly" | "all";
}

/** Reads a page, after clicking all buttons for new entries, and of a live blog for its order and further entries. */
export const takeSnapshot = (page: Page, order: EntryOrder): Promise<Snapshot> =>
  page.evaluate(snapshotInPage, order).catch((error: unknown) => {
    // The page is navigating.
    if (page.isClosed()) throw error;
    return { lines: [`nothing to read | ${String(error).split("\n")[0]}`], picks: {}, entries: "none" };
  });

/**
 * Runs in the page. Leaves out what changes with time, what a reader opened or typed, and transient messages. Also leaves out
 * the end of a blog: only a page that was scrolled near it has loaded it, its recommendations are chosen at that moment and
 * depend on the device's history, and its counts are those of the head, which is compared. A page that sees its blog disappear
 * has no recent blogs, which one that never finds it does.
 */
function snapshotInPage(order: EntryOrder): Snapshot {
  const click = (button: HTMLElement, key = "") => {
    // Not again within three seconds: each click restarts the work.
    const { askedAt = -Infinity, askedFor } = button as { askedAt?: number; askedFor?: string };
    if (askedFor === key && performance.now() - askedAt < 3_000) return;
    Object.assign(button, { askedAt: performance.now(), askedFor: key });
    button.click();
  };
  const pills =
    ".feed-pill, .landing-fresh, .comments-waiting button, .notifications-fresh button, .entries-waiting button, .entries-keys button";
  for (const pill of document.querySelectorAll<HTMLElement>(pills)) click(pill);
  const section = document.querySelector(".entries");
  const wanted = section?.querySelector<HTMLElement>(
    `.entries-order button${order === "newest" ? ":first-child" : ":last-child"}[aria-pressed=false]`,
  );
  const further = section?.querySelector<HTMLElement>(".entries-more button");
  if (wanted) click(wanted, order);
  else if (further) click(further, `${section!.querySelectorAll(".entry").length}`);
  const isPartly = wanted || further || section?.querySelector("[aria-busy=true], [data-sending]");
  const entries = !section ? "none" : isPartly ? "partly" : "all";
  // A form that an act left open.
  for (const button of document.querySelectorAll<HTMLElement>(".entry button"))
    if (button.textContent === "Cancel") button.click();

  const ignored =
    "script, style, template, noscript, .toasts, .progress, .company, .read-on, .updates, .updates-below, .comment-replying, .skip-link, .carousel, .picks, .showcase, .end, .problem-recent, .on-air-facts, .entries > [role=log], [role=menu], [role=dialog], [role=alertdialog], p.visually-hidden[role=status]";
  const lines = [`title | ${document.title}`];
  let line = "";
  let part = "";
  const endLine = () => {
    const text = line.replace(/\s+/g, " ").trim();
    if (text !== "") lines.push(`${part} | ${text}`);
    line = "";
  };
  const append = (text: string) => void (line += ` ‹${text}› `);
  const state = (element: Element) =>
    ["aria-pressed", "aria-disabled", "aria-current", "aria-selected", "aria-checked", "aria-busy"]
      .flatMap((name) => {
        const value = element.getAttribute(name);
        return value === null || value === "false"
          ? []
          : [value === "true" ? name.slice(5) : `${name.slice(5)} ${value}`];
      })
      .concat(element instanceof HTMLButtonElement && element.disabled ? ["disabled"] : [])
      .join(", ");
  const readNode = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) return void (line += node.nodeValue);
    if (!(node instanceof Element) || node.matches(ignored)) return;
    const { display, visibility } = getComputedStyle(node);
    if (display === "none" || visibility === "hidden") return;
    if (node.matches("form.comment-form")) {
      endLine();
      const box = node.querySelector("textarea");
      append(`box ${box?.getAttribute("placeholder")}${box?.disabled ? ", disabled" : ""}`);
      return endLine();
    }
    if (node.matches("form.entry-form")) {
      endLine();
      append(`form ${node.getAttribute("aria-label")}`);
      return endLine();
    }
    if (node instanceof SVGElement) {
      const icon = node.querySelector("use")?.getAttribute("href");
      return append(icon ? icon.slice(1) : `drawn ${getComputedStyle(node).getPropertyValue("--hue")}`);
    }
    if (node instanceof HTMLImageElement) {
      const label = node.alt && ` ${node.alt}`;
      return append(`picture ${node.getAttribute("src")}${label}`);
    }
    if (node instanceof HTMLTimeElement)
      return void (line += / ago$|^just now$/.test(node.textContent) ? "‹time›" : node.textContent);
    // The number of pages dates from when the list was read (docs/decisions/0010-lists-search-and-recommendations.md); the
    // arrows are live.
    if (node.matches(".pager [aria-current]")) return append(node.textContent.replace(/ of .*/, ""));
    const isBlock = !/^(inline|contents)/.test(display);
    const isControl = node.matches("button, a, input, [role=tab], [role=switch]");
    const outerPart = part;
    if (node.matches("header, main, footer, section, aside, article, nav")) {
      endLine();
      part = node.className.split(" ")[0] || node.localName;
    }
    if (isBlock && !isControl) endLine();
    const href = node.getAttribute("href");
    if (href) append(`to ${href}`);
    const label = node.getAttribute("aria-label");
    const details = [label, state(node)].filter(Boolean).join(", ");
    if (details) append(details);
    if (node instanceof HTMLInputElement) append(`${node.type} ${node.type === "search" ? node.value : ""}`);
    else for (const child of node.childNodes) readNode(child);
    if (isBlock && !isControl) endLine();
    if (outerPart !== part) {
      endLine();
      part = outerPart;
    }
  };
  readNode(document.body);
  endLine();
  // A page that sees its blog disappear says so in other words than one that never finds it.
  const isGone = (text: string) => /main \| (This blog is no longer available|404)$/.test(text);
  const gone = lines.findIndex(isGone);
  if (gone !== -1) {
    const rest = lines.slice(gone).filter((text) => !text.startsWith("main | "));
    lines.splice(gone, Infinity, "main | ‹nothing to read here›", ...rest);
  }
  const picks: Record<string, string> = {};
  const pickSelectors = {
    ".pick": ".pick-title, .pick-by",
    // With the comment shown for the first one.
    ".showcase-first": ".showcase-article, .showcase-said",
    ".showcase-card": ".showcase-card-title, .showcase-by",
  };
  for (const [selector, content] of Object.entries(pickSelectors))
    for (const pick of document.querySelectorAll(selector)) {
      const address = pick.querySelector("a[data-main]")?.getAttribute("href");
      const firstLine = lines.length;
      pick.querySelectorAll(content).forEach(readNode);
      endLine();
      const text = lines.splice(firstLine).join(" | ");
      if (address) picks[`${selector} ${address}`] = text;
    }
  return { lines, picks, entries };
}

/** Waits until the page is hydrated. */
export const waitForHydration = (page: Page, timeout = 120_000): Promise<unknown> =>
  page.waitForFunction(
    () =>
      Object.keys(document.getElementById("main") ?? {}).some((key) => key.startsWith("__reactProps")) &&
      document.readyState === "complete",
    undefined,
    { polling: 50, timeout },
  );

/** Loads a page with its idle requests; gives up on those after 10 s. */
export async function loadCompletely(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitForHydration(page);
  await page.waitForLoadState("networkidle", { timeout: 10_000 }).catch(() => {});
}

/** Opens and closes the forms of a live blog's writer, so that their code is loaded. */
export async function loadEntryForms(page: Page): Promise<void> {
  const edit = page.locator(".entry button", { hasText: /^Edit$/ }).first();
  if ((await edit.count()) === 0) return;
  await edit.click();
  await page.locator(".entry .entry-form .ProseMirror").waitFor();
  await page.locator(".entry button", { hasText: "Cancel" }).click();
  await page.locator(".entries-writer button", { hasText: "Summary" }).click();
  await page.locator("[role=dialog] button", { hasText: "Cancel" }).click();
}

/** Returns how an open page differs from a fresh one: `-` what it still says, `+` what it should. */
export function diffSnapshots(open: Snapshot, fresh: Snapshot): string[] {
  const parts = diffArrays(
    [...open.lines, `entries | ${open.entries}`],
    [...fresh.lines, `entries | ${fresh.entries}`],
  );
  const differences = parts.flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => `${added ? "+" : "-"} ${line}`) : [],
  );
  for (const [address, content] of Object.entries(open.picks)) {
    const freshPick = fresh.picks[address];
    if (freshPick !== undefined && freshPick !== content)
      differences.push(`- picks | ${content}`, `+ picks | ${freshPick}`);
  }
  return differences;
}
