/**
 * Returns what releases the lock, or null where another tab of this browser has it. Where browsers have no locks (plain http on a
 * network) every tab gets it.
 */
export async function tryLock(name: string): Promise<(() => void) | null> {
  if (!("locks" in navigator)) return () => {};
  const release = await request(name);
  if (release) return release;
  // The page before this one may be about to release it.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return request(name);
}

function request(name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock) return new Promise<void>((release) => resolve(release));
        resolve(null);
        return undefined;
      })
      .catch(() => resolve(() => {}));
  });
}
