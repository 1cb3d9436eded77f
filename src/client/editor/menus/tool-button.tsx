import { ToolbarItem } from "@ariakit/react/toolbar";
import type { ToolbarItemProps } from "@ariakit/react/toolbar";
import { shortcutText, ariaShortcut } from "../../ui/shortcut-text.ts";
import type { Tool } from "../block.ts";
import type { Editor } from "../create-editor.ts";
import type { SelectionState } from "../selection-state.ts";
import { icons } from "./icons.ts";

interface Own {
  editor: Editor;
  facts: SelectionState;
}

interface IconButtonProps extends ToolbarItemProps {
  name: string;
  /** A drawing in 24 x 24 units. */
  icon: string;
  /** What it does, where the name alone does not say it. */
  tip?: string;
}

/** A tool of a bar, with its name as a tip. */
export function IconButton({ name, icon, tip = name, ...props }: IconButtonProps) {
  return (
    <ToolbarItem className="editor-tool" aria-label={name} data-tip={tip} accessibleWhenDisabled {...props}>
      <ToolIcon path={icon} />
    </ToolbarItem>
  );
}

export function ToolButton({ editor, facts, tool }: Own & { tool: Tool }) {
  const { name, icon, keys, pressed, disabled, command } = tool;
  return (
    <IconButton
      name={name}
      icon={icon}
      tip={keys ? `${name}  ${shortcutText(keys)}` : name}
      aria-pressed={pressed?.(facts)}
      aria-keyshortcuts={keys && ariaShortcut(keys)}
      disabled={disabled?.(facts) ?? false}
      onClick={() => editor.run(command)}
    />
  );
}

/** Not by `editor.run`: the focus goes to the popover. */
export function LinkButton({ editor, facts }: Own) {
  return (
    <IconButton
      name="Link"
      icon={icons.link}
      tip={`Link  ${shortcutText("Mod-k")}`}
      aria-pressed={facts.link !== null}
      aria-haspopup="dialog"
      aria-keyshortcuts={ariaShortcut("Mod-k")}
      disabled={!facts.canMark}
      onClick={() => editor.openQuestion({ about: "link", of: "text" })}
    />
  );
}

export function ToolIcon({ path }: { path: string }) {
  return (
    <svg
      className="icon"
      width={20}
      height={20}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
