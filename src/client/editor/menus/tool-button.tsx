import { ToolbarItem } from "@ariakit/react/toolbar";
import { shortcutText, ariaShortcut } from "../../ui/shortcut-text.ts";
import type { Editor } from "../create-editor.ts";
import type { SelectionState } from "../selection-state.ts";
import { ToolIcon } from "./tool-icons.tsx";
import type { Tool } from "./tools.ts";

interface Own {
  editor: Editor;
  facts: SelectionState;
}

export function ToolButton({ editor, facts, tool }: Own & { tool: Tool }) {
  return (
    <ToolbarItem
      className="editor-tool"
      aria-label={tool.name}
      aria-pressed={tool.pressed?.(facts)}
      aria-keyshortcuts={tool.keys && ariaShortcut(tool.keys)}
      data-tip={tool.keys ? `${tool.name}  ${shortcutText(tool.keys)}` : tool.name}
      disabled={tool.disabled?.(facts) ?? false}
      accessibleWhenDisabled
      onClick={() => editor.run(tool.command)}
    >
      <ToolIcon name={tool.icon} />
    </ToolbarItem>
  );
}

/** Not by `editor.run`: the focus goes to the popover. */
export function LinkButton({ editor, facts }: Own) {
  return (
    <ToolbarItem
      className="editor-tool"
      aria-label="Link"
      aria-pressed={facts.link !== null}
      aria-haspopup="dialog"
      aria-keyshortcuts={ariaShortcut("Mod-k")}
      data-tip={`Link  ${shortcutText("Mod-k")}`}
      disabled={!facts.canMark}
      accessibleWhenDisabled
      onClick={() => editor.openQuestion({ about: "link", of: "text" })}
    >
      <ToolIcon name="link" />
    </ToolbarItem>
  );
}
