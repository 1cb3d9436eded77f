const states = new Map<string, boolean>();

/** Remembers the last state that a toggle was set to in this tab. */
export const rememberToggle = (key: string, on: boolean): void => void states.set(key, on);

/**
 * Returns a list's current rows, and in their old places those that left it because their toggle was switched off in this tab,
 * so that it can be switched on again.
 */
export function keepToggledOff<T extends { id: string }>(
  shown: readonly T[],
  now: readonly T[],
  keyOf: (id: string) => string,
): T[] {
  const rows = [...now];
  shown.forEach((one, index) => {
    if (states.get(keyOf(one.id)) === false && !rows.some(({ id }) => id === one.id))
      rows.splice(index, 0, one);
  });
  return rows;
}
