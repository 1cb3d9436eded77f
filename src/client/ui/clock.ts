import { ExternalStore } from "./external-store.ts";

/** By how many milliseconds the server's clock is ahead of this device's. */
let ahead = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const now = new ExternalStore(0);
const tick = (): void => now.set(serverTime());

/** Returns the server's time in milliseconds, now or at a time of this device: the two clocks may disagree by hours. */
export const serverTime = (at = Date.now()): number => at + ahead;

/** Sets the server's clock by a message that was just received. */
export function setServerTime(time: number): void {
  ahead = time - Date.now();
  tick();
}

/** Returns the server's time, renewed by one timer for all times on the page. Browser only. */
export function readClock(): number {
  if (!timer) {
    timer = setInterval(tick, 30_000);
    tick();
  }
  return now.get();
}

export const subscribeToClock = now.subscribe;
