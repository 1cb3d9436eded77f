import { useId, useState } from "react";
import { documentLimits } from "../../../shared/document/limits.ts";
import { isPictureName } from "../../../shared/document/picture-names.ts";
import { cleanLabel } from "../../../shared/document/values.ts";
import { Button } from "../../ui/button.tsx";
import type { Editor } from "../create-editor.ts";
import { EditorPopover } from "./popover.tsx";

interface Props {
  editor: Editor;
  pos: number;
  anchor: HTMLElement;
  onClose: () => void;
}

export function AltPopover({ editor, pos, anchor, onClose }: Props) {
  const id = useId();
  const picture = editor.view.state.doc.nodeAt(pos);
  const [alt, setAlt] = useState(() => String(picture?.attrs.alt ?? ""));
  const apply = () => {
    const node = editor.view.state.doc.nodeAt(pos);
    if (isPictureName(node?.type.name)) {
      editor.view.dispatch(
        editor.view.state.tr.setNodeAttribute(pos, "alt", cleanLabel(alt.trim(), documentLimits.alt)),
      );
    }
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
        className="editor-popover-form"
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
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            apply();
          }}
        />
        <p className="editor-popover-hint">
          Read aloud to people who can’t see it, and shown if it can’t be loaded.
        </p>
        <div className="editor-popover-actions">
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
