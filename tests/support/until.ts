/** The timeout of a slow browser test in milliseconds; others have half of it. */
export const slow = 240_000;

/**
 * Waits until the condition returns something truthy, for at most two minutes: a busy machine is slow, not wrong. Retries after
 * one millisecond, and then at intervals that grow to five, since most conditions are met at once.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  description = "the condition",
): Promise<NonNullable<T>> {
  const end = Date.now() + 120_000;
  for (let pause = 1; ; pause = Math.min(pause + 1, 5)) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${description} did not come true within two minutes`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
