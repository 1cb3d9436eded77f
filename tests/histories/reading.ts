import { diffArrays } from "diff";
import type { Page } from "@playwright/test";

/** What a person reads on a page: its lines in order, each with the part of the page that it stands in. */
export interface Reading {
  lines: string[];
  /** What is recommended or shown to guests, by the blog's address: which ones these are is chosen by each load, and stays. */
  picks: Record<string, string>;
}

/** Reads a page, after everything that waits behind a button of news was asked for. */
export const read = (page: Page): Promise<Reading> =>
  page.evaluate(readHere).catch((error: unknown) => {
    // It is on its way somewhere else.
    if (page.isClosed()) throw error;
    return { lines: [`nothing to read | ${String(error).split("\n")[0]}`], picks: {} };
  });

/**
 * Runs in the page. Left out: what moves with time, what a reader opened or typed for themselves, and what passes. The end of a blog is,
 * too: it is there only where its place was near once, which a page that is loaded anew to compare it with was not; what it says of
 * others to read is chosen as it comes and by what was read before on that device, and stays; and its counts are those of the head, which
 * is compared.
 */
function readHere(): Reading {
  const pills = ".feed-pill, .landing-fresh, .comments-waiting button, .notifications-fresh button";
  for (const pill of document.querySelectorAll<HTMLElement>(pills)) {
    // Not again while it may still be doing what was asked: each click begins anew.
    const { askedAt = -Infinity } = pill as { askedAt?: number };
    if (performance.now() - askedAt < 3_000) continue;
    Object.assign(pill, { askedAt: performance.now() });
    pill.click();
  }

  const leftOut =
    "script, style, template, noscript, .toasts, .progress, .company, .read-on, .updates, .updates-below, .comment-replying, .skip-link, .carousel, .picks, .showcase, .end, [role=menu], [role=dialog], [role=alertdialog], p.visually-hidden[role=status]";
  const lines = [`title | ${document.title}`];
  let line = "";
  let part = "";
  const end = () => {
    const text = line.replace(/\s+/g, " ").trim();
    if (text !== "") lines.push(`${part} | ${text}`);
    line = "";
  };
  const say = (what: string) => void (line += ` ‹${what}› `);
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
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) return void (line += node.nodeValue);
    if (!(node instanceof Element) || node.matches(leftOut)) return;
    const { display, visibility } = getComputedStyle(node);
    if (display === "none" || visibility === "hidden") return;
    if (node.matches("form.comment-form")) {
      end();
      const box = node.querySelector("textarea");
      say(`box ${box?.getAttribute("placeholder")}${box?.disabled ? ", disabled" : ""}`);
      return end();
    }
    if (node instanceof SVGElement) {
      const icon = node.querySelector("use")?.getAttribute("href");
      return say(icon ? icon.slice(1) : `drawn ${getComputedStyle(node).getPropertyValue("--hue")}`);
    }
    if (node instanceof HTMLImageElement) {
      const label = node.alt && ` ${node.alt}`;
      return say(`picture ${node.getAttribute("src")}${label}`);
    }
    if (node instanceof HTMLTimeElement)
      return void (line += / ago$|^just now$/.test(node.textContent) ? "‹time›" : node.textContent);
    // How many pages there are was counted when the list was read (docs/decisions/0059); the arrows are live.
    if (node.matches(".pager [aria-current]")) return say(node.textContent.replace(/ of .*/, ""));
    const isBlock = !/^(inline|contents)/.test(display);
    const isControl = node.matches("button, a, input, [role=tab], [role=switch]");
    const before = part;
    if (node.matches("header, main, footer, section, aside, article, nav")) {
      end();
      part = node.className.split(" ")[0] || node.localName;
    }
    if (isBlock && !isControl) end();
    const href = node.getAttribute("href");
    if (href) say(`to ${href}`);
    const label = node.getAttribute("aria-label");
    const said = [label, state(node)].filter(Boolean).join(", ");
    if (said) say(said);
    if (node instanceof HTMLInputElement) say(`${node.type} ${node.type === "search" ? node.value : ""}`);
    else for (const child of node.childNodes) walk(child);
    if (isBlock && !isControl) end();
    if (before !== part) {
      end();
      part = before;
    }
  };
  walk(document.body);
  end();
  // Whoever sees it go is told in other words than whoever comes for it in vain.
  const isGone = (text: string) => /main \| (This blog is no longer available|404)$/.test(text);
  const gone = lines.findIndex(isGone);
  if (gone !== -1) {
    const rest = lines.slice(gone).filter((text) => !text.startsWith("main | "));
    lines.splice(gone, Infinity, "main | ‹nothing to read here›", ...rest);
  }
  const picks: Record<string, string> = {};
  const chosen = {
    ".pick": ".pick-title, .pick-by",
    // With what is said of the one that stands first.
    ".showcase-first": ".showcase-article, .showcase-said",
    ".showcase-card": ".showcase-card-title, .showcase-by",
  };
  for (const [one, told] of Object.entries(chosen))
    for (const pick of document.querySelectorAll(one)) {
      const address = pick.querySelector("a[data-main]")?.getAttribute("href");
      const from = lines.length;
      pick.querySelectorAll(told).forEach(walk);
      end();
      const said = lines.splice(from).join(" | ");
      if (address) picks[`${one} ${address}`] = said;
    }
  return { lines, picks };
}

/** Waits until the page's script has taken it over. */
export const awake = (page: Page, timeout = 120_000): Promise<unknown> =>
  page.waitForFunction(
    () =>
      Object.keys(document.getElementById("main") ?? {}).some((key) => key.startsWith("__reactProps")) &&
      document.readyState === "complete",
    undefined,
    { polling: 50, timeout },
  );

/** Loads a page with what it asks for when it has nothing else to do; where something of that never comes, without it. */
export async function loadWhole(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await awake(page);
  await page.waitForLoadState("networkidle", { timeout: 10_000 }).catch(() => {});
}

/** Where an open page reads otherwise than a fresh one: `-` is what it still says, `+` what it should. */
export function differences(open: Reading, fresh: Reading): string[] {
  const parts = diffArrays(open.lines, fresh.lines);
  const said = parts.flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => `${added ? "+" : "-"} ${line}`) : [],
  );
  for (const [address, told] of Object.entries(open.picks)) {
    const now = fresh.picks[address];
    if (now !== undefined && now !== told) said.push(`- picks | ${told}`, `+ picks | ${now}`);
  }
  return said;
}
