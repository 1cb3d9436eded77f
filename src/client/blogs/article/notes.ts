/**
 * Shows a note where its sign is. Without this, and where a browser has no popovers, the sign leads to the note, and the note back:
 * it is a popover only while it is shown, since others would hide it in their lists.
 */
export function showNote(event: MouseEvent): void {
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
