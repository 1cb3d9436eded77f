import { useEffect, useLayoutEffect, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import type { Editor } from "../create-editor.ts";
import type { EmptyLine } from "./empty-line.ts";
import { openSlash } from "./slash.ts";

/** Opens the slash menu by pointer. The text keeps the focus. */
export function InsertButton({ editor, line }: { editor: Editor; line: EmptyLine }) {
  const [middle, setMiddle] = useState<number | null>(null);
  useLayoutEffect(() => setMiddle(middleOf(editor, line)), [editor, line]);
  useEffect(() => {
    // Pictures and window sizes move the line.
    const observer = new ResizeObserver(() => setMiddle(middleOf(editor, line)));
    observer.observe(editor.view.dom);
    return () => observer.disconnect();
  }, [editor, line]);
  if (middle === null) return null;
  return (
    <button
      type="button"
      className="editor-insert icon-button round"
      style={{ insetBlockStart: middle }}
      tabIndex={-1}
      aria-label="Insert"
      aria-haspopup="listbox"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => openSlash(editor.view)}
    >
      <Icon name="plus" size={20} />
    </button>
  );
}

/** From the top of the text, in pixels. */
function middleOf({ view }: Editor, { pos }: EmptyLine): number | null {
  const dom = view.isDestroyed ? null : view.nodeDOM(pos);
  if (!(dom instanceof HTMLElement)) return null;
  const { top } = dom.getBoundingClientRect();
  const height = Number.parseFloat(getComputedStyle(dom).lineHeight) || dom.offsetHeight;
  return Math.round(top - view.dom.getBoundingClientRect().top + height / 2);
}
