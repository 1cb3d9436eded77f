import { AllSelection, Plugin, TextSelection } from "prosemirror-state";
import type { EditorState, Selection } from "prosemirror-state";
import { textblocks } from "../commands.ts";
import { canMark } from "../selection-state.ts";

/** Tools above the selection. */
export interface Bubble {
  selection: Selection;
  /** Hides it until the selection changes. */
  dismiss(): void;
}

/** Whether text is selected that can be formatted: no picture, cells or code. */
export function isFormattable(state: EditorState): boolean {
  const { selection, doc } = state;
  return (
    (selection instanceof TextSelection || selection instanceof AllSelection) &&
    !selection.empty &&
    canMark(textblocks(state)) &&
    doc.textBetween(selection.from, selection.to) !== ""
  );
}

/**
 * Shows the bubble while text is selected and it or the text has the focus, but not while the mouse button is pressed or a word
 * is composed. Escape hides it.
 */
export function bubblePlugin(onBubble: (bubble: Bubble | null) => void): Plugin {
  let state: EditorState;
  let shown: Selection | null = null;
  let dismissed: Selection | null = null;
  let isFocused = false;
  let isPressed = false;
  let isComposing = false;
  let releaseFrame = 0;

  const refresh = () => {
    const { selection } = state;
    if (dismissed && !dismissed.eq(selection)) dismissed = null;
    const fits = isFocused && !isPressed && !isComposing && !dismissed && isFormattable(state);
    if (fits ? shown === selection : !shown) return;
    shown = fits ? selection : null;
    onBubble(fits ? { selection, dismiss } : null);
  };
  const dismiss = () => {
    dismissed = state.selection;
    refresh();
  };

  return new Plugin({
    view(view) {
      state = view.state;
      const page = view.dom.ownerDocument;
      // Where the focus is or goes.
      const focus = ({ type, target, relatedTarget }: FocusEvent) => {
        const place = type === "focusin" ? target : relatedTarget;
        isFocused =
          place === view.dom || (place instanceof Element && place.closest(".editor-bubble") !== null);
        refresh();
      };
      const release = () => {
        if (!isPressed) return;
        // After the event: a click on the selection clears it.
        releaseFrame = requestAnimationFrame(() => {
          isPressed = false;
          refresh();
        });
      };
      const releases = ["mouseup", "drop", "dragend"];
      const end = new AbortController();
      const { signal } = end;
      page.addEventListener("focusin", focus, { signal });
      page.addEventListener("focusout", focus, { signal });
      for (const type of releases) page.addEventListener(type, release, { capture: true, signal });
      return {
        update() {
          state = view.state;
          refresh();
        },
        destroy() {
          end.abort();
          cancelAnimationFrame(releaseFrame);
        },
      };
    },
    props: {
      handleKeyDown(_view, event) {
        // Not handled: after Escape the next Tab leaves the text.
        if (event.key === "Escape" && shown) dismiss();
        return false;
      },
      handleDOMEvents: {
        mousedown(_view, event) {
          if (event.button !== 0) return;
          cancelAnimationFrame(releaseFrame);
          isPressed = true;
          refresh();
        },
        compositionstart() {
          isComposing = true;
          refresh();
        },
        compositionend() {
          isComposing = false;
          refresh();
        },
      },
    },
  });
}
