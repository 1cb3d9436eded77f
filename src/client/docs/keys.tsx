import { keyTable } from "../ui/keys.ts";
import { KeyRows } from "../ui/key-rows.tsx";

const inTheEditor: readonly { keys: string[]; does: string }[] = [
  { keys: ["Ctrl", "B"], does: "Bold" },
  { keys: ["Ctrl", "I"], does: "Italic" },
  { keys: ["Ctrl", "U"], does: "Underlined" },
  { keys: ["Ctrl", "K"], does: "Link" },
  { keys: ["Ctrl", "E"], does: "Code within a line" },
  { keys: ["Ctrl", "Alt", "1"], does: "Heading; up to 4, and 0 for plain text" },
  { keys: ["Ctrl", "Shift", "8"], does: "List with dots" },
  { keys: ["Ctrl", "Shift", "7"], does: "List with numbers" },
  { keys: ["Ctrl", "Shift", "9"], does: "Quote" },
  { keys: ["Ctrl", "Alt", "C"], does: "Block of code" },
  { keys: ["Ctrl", "Z"], does: "Undo" },
  { keys: ["Ctrl", "Shift", "Z"], does: "Redo" },
  { keys: ["Ctrl", "S"], does: "Keep it on this device now" },
  {
    keys: ["Ctrl", "Enter"],
    does: "Open what is said beside a text, and pressed anew there publish it; of a draft, save it",
  },
];

export function Keys() {
  return (
    <>
      <p>
        Single keys work wherever you are not typing. On a Mac, <kbd>⌘</kbd> stands in for <kbd>Ctrl</kbd>.
      </p>
      <h3>On every page</h3>
      <KeyRows rows={keyTable} />
      <h3>In the editor</h3>
      <KeyRows rows={inTheEditor} />
    </>
  );
}
