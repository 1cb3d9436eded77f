import { focusStart } from "../../editor/focus-start.ts";
import { useLayoutEffect } from "react";
import type { RefObject } from "react";
import { changeBetween } from "../rebase-text.ts";

/** Moves the caret to the start of the text; until the editor is loaded, to the lines that it will begin with. */
export function focusText(part: HTMLElement | null): void {
  const text = part?.querySelector<HTMLElement>("[contenteditable=true]");
  if (!text) {
    part?.querySelector<HTMLElement>(firstLines)?.focus();
    return;
  }
  text.dispatchEvent(new Event(focusStart));
}

const firstLines = ".first-lines-box";

/** Whether the author is typing before the editor is loaded. */
export const isInFirstLines = (): boolean => document.activeElement?.matches(firstLines) ?? false;

/** Moves the caret to the end of the title. */
export function focusTitle(part: HTMLElement | null): void {
  const title = part?.querySelector("textarea");
  title?.focus();
  title?.setSelectionRange(title.value.length, title.value.length);
}

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
