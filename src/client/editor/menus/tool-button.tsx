import { ToolbarItem } from "@ariakit/react/toolbar";
import { shownKeys, spokenKeys } from "../../ui/shown-keys.ts";
import type { Editor } from "../create-editor.ts";
import type { Facts } from "../facts.ts";
import { ToolIcon } from "./tool-icons.tsx";
import type { Tool } from "./tools.ts";

interface Own {
  editor: Editor;
  facts: Facts;
}

/** A button of a toolbar that runs a command. It says its name, state and shortcut. */
export function ToolButton({ editor, facts, tool }: Own & { tool: Tool }) {
  return (
    <ToolbarItem
      className="editor-tool"
      aria-label={tool.name}
      aria-pressed={tool.pressed?.(facts)}
      aria-keyshortcuts={tool.keys && spokenKeys(tool.keys)}
      data-tip={tool.keys ? `${tool.name}  ${shownKeys(tool.keys)}` : tool.name}
      disabled={tool.disabled?.(facts) ?? false}
      accessibleWhenDisabled
      onClick={() => editor.run(tool.command)}
    >
      <ToolIcon name={tool.icon} />
    </ToolbarItem>
  );
}

/** Not run through editor.run: the focus goes on into the question it opens. */
export function LinkButton({ editor, facts }: Own) {
  return (
    <ToolbarItem
      className="editor-tool"
      aria-label="Link"
      aria-pressed={facts.link !== null}
      aria-haspopup="dialog"
      aria-keyshortcuts={spokenKeys("Mod-k")}
      data-tip={`Link  ${shownKeys("Mod-k")}`}
      disabled={!facts.canMark}
      accessibleWhenDisabled
      onClick={() => editor.ask({ about: "link" })}
    >
      <ToolIcon name="link" />
    </ToolbarItem>
  );
}
