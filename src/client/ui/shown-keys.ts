const isApple = () => typeof navigator !== "undefined" && /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** The key that is held for shortcuts, as this machine's keyboard names it. */
export const modKey = (apple = isApple()): string => (apple ? "⌘" : "Ctrl");

/** A shortcut as this machine's keyboard shows it: `⌘B`, `Ctrl+B`. */
export function shownKeys(keys: string, apple = isApple()): string {
  const parts = keys.split(/-(?!$)/);
  const key = parts.pop()!.toUpperCase();
  const names: Record<string, string> = {
    Mod: modKey(apple),
    Shift: apple ? "⇧" : "Shift",
    Alt: apple ? "⌥" : "Alt",
  };
  return [...parts.map((part) => names[part] ?? part), key].join(apple ? "" : "+");
}

/** The same for `aria-keyshortcuts`. */
export function spokenKeys(keys: string, apple = isApple()): string {
  const parts = keys.split(/-(?!$)/);
  return parts.map((part) => (part === "Mod" ? (apple ? "Meta" : "Control") : part)).join("+");
}
