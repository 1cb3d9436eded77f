import { ToolbarItem } from "@ariakit/react/toolbar";
import { useState } from "react";
import { useStore } from "../../ui/external-store.ts";
import type { Editor } from "../create-editor.ts";
import { linkAt, removeLink } from "../links.ts";
import { BlockBar, useIsNear } from "./block-bar.tsx";
import { rangeRect } from "./popover.tsx";
import { IconButton } from "./tool-button.tsx";
import { icons } from "./icons.ts";

/** The address and tools of the link with the caret, below it. */
export function LinkBar({ editor }: { editor: Editor }) {
  const { caretLink } = useStore(editor.facts);
  const isNear = useIsNear(editor);
  const [isTouch] = useState(() => matchMedia("(pointer: coarse)").matches);
  if (caretLink === null || !isNear) return null;
  const rect = () => {
    const link = linkAt(editor.view.state);
    return rangeRect(editor.view, link ?? editor.view.state.selection);
  };
  return (
    <BlockBar
      editor={editor}
      label="Link"
      className="link-bar"
      placement="bottom-start"
      // Below the handle of a phone's caret.
      gutter={isTouch ? 28 : 6}
      rect={rect}
    >
      <ToolbarItem
        className="editor-tool link-bar-address"
        data-tip="Open in a new tab"
        render={
          <a
            aria-label={`Open ${caretLink} in a new tab`}
            href={caretLink}
            target="_blank"
            rel="noopener noreferrer"
          />
        }
      >
        <span className="clip underline">{caretLink.replace(/^(?:https?:\/\/|mailto:|tel:)/i, "")}</span>
      </ToolbarItem>
      <IconButton
        name="Edit"
        icon={icons.edit}
        tip="Change the address"
        aria-haspopup="dialog"
        onClick={() => editor.openQuestion({ about: "link", of: "text" })}
      />
      <IconButton
        name="Remove"
        icon={icons.remove}
        tip="Remove the link"
        onClick={() => editor.run(removeLink)}
      />
    </BlockBar>
  );
}
