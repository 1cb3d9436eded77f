/**
 * Whether a key press may be one of the single keys of ui/keys.ts. Not while typing, and not while a dialog or menu is open:
 * then keys belong to what has the focus.
 */
export function mayBeKey(event: KeyboardEvent): boolean {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.isComposing ||
    // Held down, a key goes through a list; whatever else it does, it does once.
    (event.repeat && event.key !== "j" && event.key !== "k") ||
    !/^[a-z/?]$/.test(event.key)
  )
    return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  return (
    !target.isContentEditable &&
    !target.closest(
      "input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog], [role=alertdialog], [role=menu]",
    )
  );
}
