import { AllSelection, Plugin, TextSelection } from "prosemirror-state";
import type { EditorState, Selection } from "prosemirror-state";
import { textblocks } from "../commands.ts";
import { canMark } from "../facts.ts";

/** Tools over the selection. */
export interface Bubble {
  selection: Selection;
  /** Takes it away until something else is selected. */
  dismiss(): void;
}

/** Whether text is selected that can be formatted: no picture, no cells, no code. */
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
 * Shows the bubble while text is selected and the focus is in the text or in the bubble: not before the mouse button is
 * released, nor while a word is composed. Escape takes it away.
 */
export function bubblePlugin(onBubble: (bubble: Bubble | null) => void): Plugin {
  let state: EditorState;
  let shown: Selection | null = null;
  let dismissed: Selection | null = null;
  let isFocused = false;
  let isPressed = false;
  let isComposing = false;
  let releasing = 0;

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
      // Where the focus is, or is just going.
      const focus = ({ type, target, relatedTarget }: FocusEvent) => {
        const place = type === "focusin" ? target : relatedTarget;
        isFocused =
          place === view.dom || (place instanceof Element && place.closest(".editor-bubble") !== null);
        refresh();
      };
      const release = () => {
        if (!isPressed) return;
        // After the event: a click into what is selected takes the selection away with it.
        releasing = requestAnimationFrame(() => {
          isPressed = false;
          refresh();
        });
      };
      const releases = ["mouseup", "drop", "dragend"];
      page.addEventListener("focusin", focus);
      page.addEventListener("focusout", focus);
      for (const type of releases) page.addEventListener(type, release, true);
      return {
        update() {
          state = view.state;
          refresh();
        },
        destroy() {
          page.removeEventListener("focusin", focus);
          page.removeEventListener("focusout", focus);
          for (const type of releases) page.removeEventListener(type, release, true);
          cancelAnimationFrame(releasing);
        },
      };
    },
    props: {
      handleKeyDown(_view, event) {
        // Left to the other keys, too: after Escape the next Tab leaves the text.
        if (event.key === "Escape" && shown) dismiss();
        return false;
      },
      handleDOMEvents: {
        mousedown(_view, event) {
          if (event.button !== 0) return;
          cancelAnimationFrame(releasing);
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
