/**
 * Shows a footnote as a popover at its reference, which otherwise links to it. The note is a popover only while shown: browsers
 * would hide it in the list of notes.
 */
export function showFootnote(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>("[role^=doc-]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const shown = link.closest<HTMLElement>(":popover-open");
  const note = shown ?? document.getElementById(link.hash.slice(1));
  if (!shown && note?.localName !== "li") return;
  if (!note?.showPopover) return;
  event.preventDefault();
  if (shown) return shown.hidePopover();
  note.popover = "auto";
  note.tabIndex = -1;
  note.ontoggle = ({ newState }) => {
    if (newState === "closed") note.popover = null;
  };
  note.showPopover({ source: link });
  note.focus();
}
