import type { Node } from "prosemirror-model";
import { Selection } from "prosemirror-state";
import { CellSelection } from "prosemirror-tables";
import { Decoration } from "prosemirror-view";
import { element } from "../element.ts";
import type { SelectionRange } from "./selection-range.ts";

/** A caret's owner. Each jump raises `moves`, which shows the name again. */
export interface CaretOwner {
  client: string;
  name: string;
  place: number;
  moves: number;
}

/** Decorations for another writer's selection and caret. CSS renders the name, which is not part of the document. */
export function caretDecorations(doc: Node, who: CaretOwner, { anchor, head }: SelectionRange): Decoration[] {
  const about = { class: "editor-tint", "data-writer": "", style: `--place: ${who.place}` };
  const caret = caretAt(doc, who, head);
  const cells = cellsBetween(doc, anchor, head);
  if (cells) {
    const tinted: Decoration[] = [];
    cells.forEachCell((cell, at) => tinted.push(Decoration.node(at, at + cell.nodeSize, about)));
    return [...tinted, ...caret];
  }
  const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
  return from < to ? [Decoration.inline(from, to, about), ...caret] : caret;
}

function cellsBetween(doc: Node, anchor: number, head: number): CellSelection | null {
  const [$anchor, $head] = [doc.resolve(anchor), doc.resolve(head)];
  const isCell = (node: Node | null | undefined) => Boolean(node?.type.spec.tableRole?.match(/cell$/));
  if (!isCell($anchor.nodeAfter) || !isCell($head.nodeAfter) || $anchor.node(-1) !== $head.node(-1))
    return null;
  return new CellSelection($anchor, $head);
}

/** Outside lines of text the caret is shown in the nearest line, if any. */
function caretAt(doc: Node, { client, name, place, moves }: CaretOwner, head: number): Decoration[] {
  const $head = doc.resolve(head);
  const { $head: $line } = $head.parent.inlineContent ? { $head } : Selection.near($head);
  if (!$line.parent.inlineContent) return [];
  const make = () => {
    const mark = element("span", {
      class: "editor-caret",
      "data-writer": "",
      style: `--place: ${place}`,
      "data-name": name,
      "aria-hidden": "true",
    });
    // Near a line's end there is no room for the name after the caret.
    requestAnimationFrame(() => {
      const text = mark.closest(".editor-content")?.getBoundingClientRect();
      if (!text) return;
      const at = mark.getBoundingClientRect();
      mark.toggleAttribute("data-end", at.left > text.left + text.width / 2);
    });
    return mark;
  };
  const key = `caret ${client} ${place} ${moves} ${name}`;
  return [Decoration.widget($line.pos, make, { key, side: 1, ignoreSelection: true, marks: [] })];
}
