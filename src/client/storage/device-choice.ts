/** Set when single keys are off (app/layout.tsx). */
export const NO_SINGLE_KEYS = "no-single-keys";

/** Whether a choice was made on this device, where everything else is the default. */
export function isChosen(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

/** Stores a choice, or removes it. A browser that stores nothing keeps the default. */
export function choose(key: string, chosen: boolean): void {
  try {
    if (chosen) localStorage.setItem(key, "yes");
    else localStorage.removeItem(key);
  } catch {}
}
