const isApple = () => typeof navigator !== "undefined" && /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** The modifier key of shortcuts on this machine. */
export const modKey = (apple = isApple()): string => (apple ? "⌘" : "Ctrl");

/** Returns a shortcut as this machine shows it: `⌘B`, `Ctrl+B`. */
export function shortcutText(keys: string, apple = isApple()): string {
  const parts = keys.split(/-(?!$)/);
  const key = parts.pop()!.toUpperCase();
  const names: Record<string, string> = {
    Mod: modKey(apple),
    Shift: apple ? "⇧" : "Shift",
    Alt: apple ? "⌥" : "Alt",
  };
  return [...parts.map((part) => names[part] ?? part), key].join(apple ? "" : "+");
}

/** Returns a shortcut for `aria-keyshortcuts`. */
export function ariaShortcut(keys: string, apple = isApple()): string {
  const parts = keys.split(/-(?!$)/);
  return parts.map((part) => (part === "Mod" ? (apple ? "Meta" : "Control") : part)).join("+");
}
