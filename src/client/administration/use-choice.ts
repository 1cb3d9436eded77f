import { useState } from "react";

/**
 * Shows a choice at once, until the stored value changes. `choose` sets it; `reset` returns to the stored value after a
 * failure.
 */
export function useChoice<Value extends string>(stored: Value) {
  const [wanted, setWanted] = useState<{ value: Value; from: Value } | null>(null);
  const isOver = wanted !== null && (stored === wanted.value || stored !== wanted.from);
  if (isOver) setWanted(null);
  return {
    shown: wanted === null || isOver ? stored : wanted.value,
    choose: (value: Value): void => setWanted({ value, from: stored }),
    reset: (): void => setWanted(null),
  };
}
