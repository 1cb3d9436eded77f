const INTERVAL = 30_000;

/** By how many milliseconds the server's clock is ahead of this device's. */
let ahead = 0;
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Returns the server's time in milliseconds at a time of this device: server and device may disagree by hours. */
export const serverTime = (at = Date.now()): number => at + ahead;

/** Sets the server's clock by a message that was just received. */
export function setServerTime(time: number): void {
  ahead = time - Date.now();
  tick();
}

function tick(): void {
  now = serverTime();
  for (const notify of listeners) notify();
}

/** The server's time, renewed by one timer for all times on the page. */
export const clock = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    timer ??= setInterval(tick, INTERVAL);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
      now = 0;
    };
  },
  read: (): number => (now ||= serverTime()),
};
