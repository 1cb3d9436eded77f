import { useRef } from "react";
import type { InputEvent, KeyboardEvent } from "react";
import { typeset } from "../../../shared/typography.ts";
import { hasSmartQuotes } from "../../editor/smart-quotes.ts";

/** What Backspace restores: the typed characters before the caret, and what replaced them. */
interface Undoable {
  value: string;
  caret: number;
  typed: string;
  replacement: string;
}

interface Handlers {
  onInput: (event: InputEvent<HTMLTextAreaElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/** Sets quotation marks, dashes and the like of a field by `language` as they are typed, as the text does. */
export function useTypography(language: string): Handlers {
  const undoable = useRef<Undoable | null>(null);
  const isReplacing = useRef(false);
  /** Replaces characters before the caret as typing does, so that the browser can undo it. Returns whether it did. */
  const replaceBefore = (box: HTMLTextAreaElement, length: number, text: string): boolean => {
    // The browser would insert only a part.
    if (box.maxLength >= 0 && box.value.length - length + text.length > box.maxLength) return false;
    const end = box.selectionEnd;
    box.setSelectionRange(end - length, end);
    isReplacing.current = true;
    // Deprecated, but only this keeps the field's undo history.
    const isReplaced = document.execCommand("insertText", false, text);
    isReplacing.current = false;
    if (!isReplaced) box.setSelectionRange(end, end);
    return isReplaced;
  };
  return {
    onInput: ({ currentTarget: box, nativeEvent }) => {
      const { data, inputType, isComposing } = nativeEvent;
      if (inputType !== "insertText" || isComposing || data?.length !== 1 || isReplacing.current) return;
      if (!hasSmartQuotes()) return;
      const caret = box.selectionEnd;
      const before = box.value.slice(0, caret - 1);
      const replaced = typeset(before, data, language || navigator.language);
      if (!replaced || box.value[caret - 1] !== data) return;
      const typed = before.slice(before.length - replaced.drop) + data;
      if (!replaceBefore(box, typed.length, replaced.text)) return;
      undoable.current = { value: box.value, caret: box.selectionEnd, typed, replacement: replaced.text };
    },
    onKeyDown: (event) => {
      const { currentTarget: box, key } = event;
      const last = undoable.current;
      if (!last || key !== "Backspace" || event.ctrlKey || event.altKey || event.metaKey) return;
      undoable.current = null;
      const isUnchanged =
        box.value === last.value && box.selectionStart === last.caret && box.selectionEnd === last.caret;
      if (isUnchanged && replaceBefore(box, last.replacement.length, last.typed)) event.preventDefault();
    },
  };
}
