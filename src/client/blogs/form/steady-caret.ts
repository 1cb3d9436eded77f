import { useLayoutEffect } from "react";
import type { RefObject } from "react";
import { changeBetween } from "../../writing/rebase-text.ts";

/** Leaves the selection of a field at its letters when others change its value; browsers would move it to the end. */
export function useSteadyCaret(box: RefObject<HTMLTextAreaElement | null>, value: string): void {
  const field = box.current;
  // Read before React changes the field.
  const before =
    field && field.value !== value && document.activeElement === field ? selectionOf(field) : null;
  useLayoutEffect(() => {
    if (!before) return;
    const { from, to, end } = changeBetween(before.value, value);
    const moved = (at: number): number => (at <= from ? at : at >= to ? at - to + end : end);
    box.current?.setSelectionRange(moved(before.start), moved(before.end), before.direction);
  });
}

const selectionOf = ({ value, selectionStart, selectionEnd, selectionDirection }: HTMLTextAreaElement) => ({
  value,
  start: selectionStart,
  end: selectionEnd,
  direction: selectionDirection,
});
