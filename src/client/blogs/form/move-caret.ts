/** Moves the caret to the start of the text. */
export function focusText(part: HTMLElement | null): void {
  const text = part?.querySelector<HTMLElement>("[contenteditable=true]");
  if (!text) return;
  text.focus();
  document.getSelection()?.collapse(text, 0);
}

/** Moves the caret to the end of the title. */
export function focusTitle(part: HTMLElement | null): void {
  const title = part?.querySelector("textarea");
  title?.focus();
  title?.setSelectionRange(title.value.length, title.value.length);
}
