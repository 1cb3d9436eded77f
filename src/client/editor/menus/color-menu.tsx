import { schema } from "../../../shared/document/schema.ts";
import { setMark } from "../commands.ts";
import type { Editor } from "../create-editor.ts";
import type { SelectionState } from "../selection-state.ts";
import { backgroundColors, swatchInk, swatchPaper, textColors } from "./palette.ts";
import { ToolIcon } from "./tool-icons.tsx";
import { ToolMenu } from "./toolbar-menus.tsx";

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
      <span className="editor-color">
        <ToolIcon name={kind} />
        <span className="editor-color-bar" style={current ? { backgroundColor: current } : undefined} />
      </span>
    </ToolMenu>
  );
}
