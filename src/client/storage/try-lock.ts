/**
 * Returns a function that releases the lock, or null if another tab has it. Without Web Locks (plain http) every tab gets it.
 */
export async function tryLock(name: string): Promise<(() => void) | null> {
  if (!("locks" in navigator)) return () => {};
  const release = await request(name);
  if (release) return release;
  // The previous page may be about to release it.
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
