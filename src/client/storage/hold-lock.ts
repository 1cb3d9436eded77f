/**
 * Waits until no other tab of this browser has the lock, calls `begin`, and keeps the lock until `signal` aborts. Where browsers
 * have no locks (plain http on a network) every tab gets it.
 */
export function holdLock(name: string, signal: AbortSignal, begin: () => unknown): void {
  const hold = async (): Promise<void> => {
    await begin();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const held = "locks" in navigator ? navigator.locks.request(name, { signal }, hold) : hold();
  held.catch(() => undefined);
}
