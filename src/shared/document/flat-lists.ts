import type { Node } from "prosemirror-model";
import { documentLimits } from "./limits.ts";

/** An item as Quill writes it: the list it stands in only by its kind, its level only by its indentation. */
export interface FlatItem {
  tag: "ol" | "ul";
  indent: number;
  /** Of an item with a box: as Quill 2 writes it, in an ordered list whose kind counts for nothing. */
  checked: boolean | null;
  paragraph: Node;
}

export function isList(node: Node): boolean {
  return node.type.name === "bullet_list" || node.type.name === "ordered_list";
}

/**
 * The items of neighbouring lists in Quill's flat form, or null where that form can not say what the lists are:
 * items of several blocks, numbers that do not begin with 1, neighbours of one kind, more than eight levels.
 * `straightenLists` makes the same lists of what this gives.
 */
export function flattenLists(lists: readonly Node[]): FlatItem[] | null {
  const items: FlatItem[] = [];
  return collect(lists, 0, -1, items) ? items : null;
}

function collect(lists: readonly Node[], level: number, parentIndent: number, items: FlatItem[]): boolean {
  let before: Node | null = null;
  let latest: number = documentLimits.indent;
  for (const list of lists) {
    if (!isList(list) || list.type === before?.type || (list.attrs.order ?? 1) !== 1) return false;
    before = list;
    for (const item of list.children) {
      const paragraph = item.firstChild;
      if (!paragraph) return false;
      const indent = level + Number(paragraph.attrs.indent);
      // Read back, an item goes into the nearest one before it that is indented less.
      if (indent > latest || indent <= parentIndent) return false;
      latest = indent;
      const checked = item.type.name === "task_item" ? Boolean(item.attrs.checked) : null;
      const tag = list.type.name === "ordered_list" || checked !== null ? "ol" : "ul";
      items.push({ tag, indent, checked, paragraph });
      if (!collect(item.children.slice(1), level + 1, indent, items)) return false;
    }
  }
  return true;
}
