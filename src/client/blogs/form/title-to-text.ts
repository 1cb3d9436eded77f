/** The caret goes to the first letter of the text, once that can be written in. */
export function toText(part: HTMLElement | null): void {
  const text = part?.querySelector<HTMLElement>("[contenteditable=true]");
  if (!text) return;
  text.focus();
  document.getSelection()?.collapse(text, 0);
}

/** The caret goes behind the last letter of the title. */
export function toTitle(part: HTMLElement | null): void {
  const title = part?.querySelector("textarea");
  title?.focus();
  title?.setSelectionRange(title.value.length, title.value.length);
}
