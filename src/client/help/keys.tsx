import { keyTable } from "../ui/keys.ts";
import { SingleKeys } from "../settings/single-keys.tsx";
import { KeyRows } from "../ui/key-rows.tsx";

const inTheEditor: readonly { keys: string[]; does: string }[] = [
  { keys: ["Ctrl", "B"], does: "Bold" },
  { keys: ["Ctrl", "I"], does: "Italic" },
  { keys: ["Ctrl", "U"], does: "Underline" },
  { keys: ["Ctrl", "K"], does: "Link" },
  { keys: ["Ctrl", "E"], does: "Inline code" },
  { keys: ["Ctrl", "Alt", "1"], does: "Heading; up to 6, and 0 for plain text" },
  { keys: ["Ctrl", "Shift", "8"], does: "Bullet list" },
  { keys: ["Ctrl", "Shift", "7"], does: "Numbered list" },
  { keys: ["Ctrl", "Shift", "9"], does: "Quote" },
  { keys: ["Ctrl", "Alt", "C"], does: "Code block" },
  {
    keys: ["Alt", "F10"],
    does: "Tools of the picture, table or code at the cursor; press again for all tools",
  },
  { keys: ["Ctrl", "Z"], does: "Undo" },
  { keys: ["Ctrl", "Shift", "Z"], does: "Redo" },
  { keys: ["Ctrl", "S"], does: "Save now" },
  {
    keys: ["Ctrl", "Enter"],
    does: "Open the publish settings; press again there to publish, or to save a draft",
  },
];

export function Keys() {
  return (
    <>
      <p>
        Single keys work while you’re not typing. On a Mac, use <kbd>⌘</kbd> instead of <kbd>Ctrl</kbd>.
      </p>
      <SingleKeys />
      <h3>On every page</h3>
      <KeyRows rows={keyTable} />
      <h3>In the editor</h3>
      <KeyRows rows={inTheEditor} />
    </>
  );
}
