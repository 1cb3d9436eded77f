const turned = new Map<string, boolean>();

/** What a switch of this tab was last turned to. */
export const turnHere = (key: string, on: boolean): void => void turned.set(key, on);

/**
 * A list's rows as they are now, and between them those that stand there no more because their switch was turned off in this
 * tab: until one leaves the list it can be turned back.
 */
export function withTurned<T extends { id: string }>(
  shown: readonly T[],
  now: readonly T[],
  keyOf: (id: string) => string,
): T[] {
  const rows = [...now];
  shown.forEach((one, index) => {
    if (turned.get(keyOf(one.id)) === false && !rows.some(({ id }) => id === one.id))
      rows.splice(index, 0, one);
  });
  return rows;
}
