const TICK = 1_000;
const GAP = 5_000;

/** Calls `act` when somebody comes to look at the tab, and when it wakes up: a frozen tab, a laptop that slept. Browser only, once. */
export function watchReturns(act: () => void): void {
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && act());
  document.addEventListener("resume", act);
  for (const type of ["pageshow", "focus", "online", "offline"]) addEventListener(type, act);
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - last > TICK + GAP) act();
    last = now;
  }, TICK);
}
