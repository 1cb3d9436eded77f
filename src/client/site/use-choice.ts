import { useState } from "react";

/**
 * Shows a choice at once, until the stored value changes. `choose` sets it; `reset` returns to the stored value after a
 * failure.
 */
export function useChoice<Value extends string>(stored: Value) {
  const [choice, setChoice] = useState<{ value: Value; from: Value } | null>(null);
  const isOver = choice !== null && (stored === choice.value || stored !== choice.from);
  if (isOver) setChoice(null);
  return {
    shown: choice === null || isOver ? stored : choice.value,
    choose: (value: Value): void => setChoice({ value, from: stored }),
    reset: (): void => setChoice(null),
  };
}
