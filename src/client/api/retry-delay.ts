/** Doubles from half a second to ten, each time by chance between half and one and a half of it: no stampede after a restart. */
export function retryDelay(attempt: number): number {
  return Math.min(10_000, 500 * 2 ** attempt) * (0.5 + Math.random());
}
