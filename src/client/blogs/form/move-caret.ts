import { focusStart } from "../../editor/focus-start.ts";

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
