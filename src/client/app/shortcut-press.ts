import { isChosen, NO_SINGLE_KEYS } from "../storage/device-choice.ts";

/** Whether a key press may be one of the single keys of ui/keys.ts. Not while typing or in a dialog or menu. */
export function isShortcutPress(event: KeyboardEvent): boolean {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.isComposing ||
    // Only j and k repeat while held down.
    (event.repeat && event.key !== "j" && event.key !== "k") ||
    !/^[a-z/?]$/.test(event.key) ||
    isChosen(NO_SINGLE_KEYS)
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
