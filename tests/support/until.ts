/** Waits until the condition gives something, for at most ten seconds. */
export async function until<T>(
  condition: () => T | Promise<T>,
  what = "the condition",
): Promise<NonNullable<T>> {
  const end = Date.now() + 10_000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what} did not come true within ten seconds`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
