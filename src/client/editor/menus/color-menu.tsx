import { schema } from "../../../shared/document/schema.ts";
import { setMark } from "../commands.ts";
import type { Editor } from "../create-editor.ts";
import type { SelectionState } from "../selection-state.ts";
import { icons } from "./icons.ts";
import { ToolIcon } from "./tool-button.tsx";
import { ToolMenu } from "./toolbar-menus.tsx";

/**
 * A colour chosen for white paper and stored as written here. In dark mode ui/prose.css inverts the lightness of text colours,
 * and puts dark ink on backgrounds.
 */
interface Swatch {
  name: string;
  value: string;
}

const swatchPaper = "#ffffff";
const swatchInk = "#1c1a17";

const textColors: readonly Swatch[] = [
  { name: "Red", value: "#b3261e" },
  { name: "Orange", value: "#a84b00" },
  { name: "Ochre", value: "#7d5c00" },
  { name: "Green", value: "#2c6e49" },
  { name: "Teal", value: "#0b6670" },
  { name: "Blue", value: "#1d5fb4" },
  { name: "Violet", value: "#6b3fb0" },
  { name: "Pink", value: "#a62a72" },
  { name: "Brown", value: "#7a4a2b" },
  { name: "Grey", value: "#6b665e" },
];

const backgroundColors: readonly Swatch[] = [
  { name: "Yellow", value: "#fff0a3" },
  { name: "Orange", value: "#ffdcb8" },
  { name: "Red", value: "#ffd3cc" },
  { name: "Pink", value: "#fcd5e8" },
  { name: "Violet", value: "#e6d9fb" },
  { name: "Blue", value: "#d3e4fd" },
  { name: "Teal", value: "#c9ecee" },
  { name: "Green", value: "#d3efd9" },
  { name: "Sand", value: "#efe3cc" },
  { name: "Grey", value: "#e4e1db" },
];

export function ColorMenu({
  editor,
  facts,
  kind,
}: {
  editor: Editor;
  facts: SelectionState;
  kind: "color" | "background";
}) {
  const type = kind === "color" ? schema.marks.color : schema.marks.background;
  const swatches = kind === "color" ? textColors : backgroundColors;
  const current = facts[kind];
  const swatch = swatches.find(({ value }) => value === current);
  const paint = (value: string) =>
    kind === "color"
      ? { color: value, backgroundColor: swatchPaper }
      : { color: swatchInk, backgroundColor: value };
  const choices = [
    {
      name: kind === "color" ? "Clear color" : "Clear background",
      command: setMark(type, null),
      icon: <span className="editor-swatch editor-swatch-none" />,
      chosen: current === null,
    },
    ...swatches.map(({ name, value }) => ({
      name,
      command: setMark(type, { color: value }),
      chosen: value === current,
      icon: (
        <span className="editor-swatch" style={paint(value)}>
          A
        </span>
      ),
    })),
  ];
  return (
    <ToolMenu
      editor={editor}
      name={kind === "color" ? "Text color" : "Background color"}
      value={swatch?.name ?? (current ? "Other" : "")}
      choices={choices}
      disabled={!facts.canMark}
      grid
    >
      <span className="editor-color stack center gap-0">
        <ToolIcon path={icons[kind]} />
        <span className="editor-color-bar" style={current ? { backgroundColor: current } : undefined} />
      </span>
    </ToolMenu>
  );
}
