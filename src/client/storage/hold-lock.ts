/**
 * Waits for the lock among the browser's tabs, calls `begin`, and holds it until `signal` aborts. Without Web Locks (plain
 * http) every tab gets it.
 */
export function holdLock(name: string, signal: AbortSignal, begin: () => unknown): void {
  const hold = async (): Promise<void> => {
    await begin();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const lock = "locks" in navigator ? navigator.locks.request(name, { signal }, hold) : hold();
  lock.catch(() => undefined);
}
