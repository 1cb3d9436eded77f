const TICK = 1_000;
/** A tick that comes so many milliseconds late shows that the machine slept. */
const GAP = 5_000;

/** Calls `onReturn` when a person comes back to the tab, and when it wakes from being frozen or from sleep. Browser only, once. */
export function onTabReturn(onReturn: () => void): void {
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && onReturn());
  document.addEventListener("resume", onReturn);
  for (const type of ["pageshow", "focus", "online", "offline"]) addEventListener(type, onReturn);
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - last > TICK + GAP) onReturn();
    last = now;
  }, TICK);
}
