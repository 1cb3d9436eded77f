import type { EditorView } from "prosemirror-view";
import { useId, useState } from "react";
import { documentLimits } from "../../../shared/document/limits.ts";
import { isPictureName } from "../../../shared/document/picture-names.ts";
import { cleanLabel } from "../../../shared/document/values.ts";
import { Button } from "../../ui/button.tsx";
import { isComposing } from "../../ui/composing.ts";
import type { Editor } from "../create-editor.ts";
import { EditorPopover } from "./popover.tsx";

interface Props {
  editor: Editor;
  /** The picture's position when it was asked for. */
  pos: number;
  /** The element that shows the picture. */
  anchor: HTMLElement;
  onClose: () => void;
}

/** Returns where the picture shown by an element is now: others may have written above it. */
function positionOf(view: EditorView, shown: HTMLElement): number | null {
  let found: number | null = null;
  view.state.doc.descendants((node, pos) => {
    if (isPictureName(node.type.name) && view.nodeDOM(pos) === shown) found = pos;
    return found === null;
  });
  return found;
}

export function AltPopover({ editor, pos, anchor, onClose }: Props) {
  const id = useId();
  const picture = editor.view.state.doc.nodeAt(pos);
  const [alt, setAlt] = useState(() => String(picture?.attrs.alt ?? ""));
  const apply = () => {
    const { view } = editor;
    const at = positionOf(view, anchor);
    if (at !== null)
      view.dispatch(view.state.tr.setNodeAttribute(at, "alt", cleanLabel(alt.trim(), documentLimits.alt)));
    onClose();
  };
  return (
    <EditorPopover
      editor={editor}
      label="Alt text"
      rect={() => anchor.getBoundingClientRect()}
      onClose={onClose}
    >
      <form
        className="stack gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          apply();
        }}
      >
        <label className="field-label" htmlFor={id}>
          What does the picture show?
        </label>
        <textarea
          id={id}
          className="field-box field-area"
          rows={2}
          maxLength={documentLimits.alt}
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
            event.preventDefault();
            event.stopPropagation();
            apply();
          }}
        />
        <p className="note">Read aloud to people who can’t see it, and shown if it can’t be loaded.</p>
        <div className="row to-end">
          <Button kind="quiet" size="s" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" kind="primary" size="s">
            Done
          </Button>
        </div>
      </form>
    </EditorPopover>
  );
}
