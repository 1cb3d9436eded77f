/*
 * Single-key shortcuts. j and k move through list entries and to an open article, marked with `data-item`. Letters that change
 * something click the control with their `data-key` in the entry that has the focus.
 */

interface KeyActions {
  go: (path: string) => void;
  help: () => void;
}

export const keyTable: readonly { keys: string[]; does: string }[] = [
  { keys: ["/"], does: "Search" },
  { keys: ["n"], does: "Write a new blog" },
  { keys: ["j"], does: "Next in a list or thread" },
  { keys: ["k"], does: "Previous in a list or thread" },
  { keys: ["l"], does: "Like what has the focus" },
  { keys: ["s"], does: "Save what has the focus" },
  { keys: ["Ctrl", "Enter"], does: "Send a comment, or publish" },
  { keys: ["?"], does: "Show these keys" },
];

/** Runs a key's action, if any. */
export function handleKey(key: string, { go, help }: KeyActions): void {
  actionOf(key, go, help)?.();
}

function actionOf(key: string, go: KeyActions["go"], help: KeyActions["help"]): (() => void) | undefined {
  if (key === "?") return help;
  if (key === "n") return () => go("/add-blog");
  if (key === "j" || key === "k") {
    const next = neighbour(key === "j" ? 1 : -1);
    return next && (() => focusItem(next));
  }
  const scope = key === "/" ? document : document.activeElement?.closest("[data-item]");
  const control = scope?.querySelector<HTMLElement>(`main [data-key="${key}"]`);
  if (control) return () => control.click();
  // Without a field, to the page that has one.
  return key === "/" ? () => go("/search#search") : undefined;
}

function neighbour(step: 1 | -1): HTMLElement | undefined {
  const items = [...document.querySelectorAll<HTMLElement>("main [data-item]")].filter((item) =>
    item.checkVisibility(),
  );
  const current = document.activeElement?.closest<HTMLElement>("[data-item]");
  if (current) return items[items.indexOf(current) + step];
  const below = items.findIndex((item) => item.getBoundingClientRect().bottom > 80);
  return step === 1 ? items[below] : items[below - 1];
}

function focusItem(item: HTMLElement): void {
  const target = item.querySelector<HTMLElement>("a[data-main]") ?? item;
  if (target === item && !item.hasAttribute("tabindex")) item.tabIndex = -1;
  target.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}
