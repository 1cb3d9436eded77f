import type { Node } from "prosemirror-model";
import { Selection } from "prosemirror-state";
import { CellSelection } from "prosemirror-tables";
import { Decoration } from "prosemirror-view";
import { element } from "../element.ts";
import type { Place } from "./places.ts";

/** Whose caret it is: `moves` counts how often it went somewhere, and shows the name anew. */
export interface Drawn {
  client: string;
  name: string;
  /** By which they have a colour. */
  place: number;
  moves: number;
}

/** The selection and the caret of somebody else in a text. Their name is drawn by the sheet alone: it is no text of the document. */
export function drawn(doc: Node, who: Drawn, { anchor, head }: Place): Decoration[] {
  const about = { class: "editor-tint", "data-writer": String(who.place) };
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

/** A caret stands in lines of text: elsewhere it is at the next of them, if there is one. */
function caretAt(doc: Node, { client, name, place, moves }: Drawn, head: number): Decoration[] {
  const $head = doc.resolve(head);
  const { $head: $line } = $head.parent.inlineContent ? { $head } : Selection.near($head);
  if (!$line.parent.inlineContent) return [];
  const make = () => {
    const mark = element("span", {
      class: "editor-caret",
      "data-writer": String(place),
      "data-name": name,
      "aria-hidden": "true",
    });
    // Near the end of a line there is no room for the name behind it.
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
