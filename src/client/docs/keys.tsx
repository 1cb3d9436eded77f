import { keyTable } from "../app/keys.ts";

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
  { keys: ["Ctrl", "Enter"], does: "Publish" },
];

export function Keys() {
  return (
    <>
      <p>
        Single keys work wherever you are not typing. On a Mac, <kbd>⌘</kbd> stands in for <kbd>Ctrl</kbd>.
      </p>
      <KeyTable caption="On every page" rows={keyTable} />
      <KeyTable caption="In the editor" rows={inTheEditor} />
    </>
  );
}

function KeyTable({ caption, rows }: { caption: string; rows: readonly { keys: string[]; does: string }[] }) {
  return (
    <>
      <h3>{caption}</h3>
      <dl className="docs-keys">
        {rows.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
