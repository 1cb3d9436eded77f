/**
 * Waits until the condition gives something, for at most two minutes: a busy machine is slow, not wrong. It is looked at again after
 * a millisecond and then ever later, up to five: most comes at once.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what = "the condition",
): Promise<NonNullable<T>> {
  const end = Date.now() + 120_000;
  for (let pause = 1; ; pause = Math.min(pause + 1, 5)) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what} did not come true within two minutes`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
