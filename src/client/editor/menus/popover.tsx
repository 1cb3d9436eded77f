import { Popover, usePopoverStore } from "@ariakit/react/popover";
import type { EditorView } from "prosemirror-view";
import type { ReactNode } from "react";
import type { Editor } from "../create-editor.ts";

interface Props {
  editor: Editor;
  label: string;
  /** What it opens beside. */
  rect: () => DOMRect;
  onClose: () => void;
  children: ReactNode;
}

/** A form beside the text. Escape and a click elsewhere close it and focus the text. */
export function EditorPopover({ editor, label, rect, onClose, children }: Props) {
  const popover = usePopoverStore({
    open: true,
    placement: "bottom-start",
    setOpen: (open) => {
      if (!open) onClose();
    },
  });
  return (
    <Popover
      store={popover}
      className="editor-popover popup"
      aria-label={label}
      portal
      gutter={8}
      overflowPadding={12}
      getAnchorRect={rect}
      autoFocusOnHide={() => {
        editor.view.focus();
        return false;
      }}
    >
      {children}
    </Popover>
  );
}

/** Returns where the selected figure's picture is. */
export function figureRect({ view, facts }: Editor): DOMRect {
  const { figure } = facts.get();
  const dom = figure === null ? null : view.nodeDOM(figure);
  const picture = dom instanceof Element ? (dom.querySelector("img, .editor-elsewhere") ?? dom) : null;
  return (picture ?? view.dom).getBoundingClientRect();
}

export function selectionRect({ view }: Editor): DOMRect {
  return rangeRect(view, view.state.selection);
}

export function rangeRect(view: EditorView, { from, to }: { from: number; to: number }): DOMRect {
  const start = view.coordsAtPos(from);
  const end = view.coordsAtPos(to, -1);
  const left = Math.min(start.left, end.left);
  return new DOMRect(
    left,
    start.top,
    Math.max(start.right, end.right) - left,
    Math.max(end.bottom, start.bottom) - start.top,
  );
}
