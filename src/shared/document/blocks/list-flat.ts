import type { Node } from "prosemirror-model";
import { documentLimits } from "../limits.ts";

/** An item in Quill's form. */
export interface FlatItem {
  tag: "ol" | "ul";
  indent: number;
  /** Null if not a task. Quill 2 writes tasks in an ordered list. */
  checked: boolean | null;
  paragraph: Node;
}

export function isList(node: Node): boolean {
  return node.type.name === "bullet_list" || node.type.name === "ordered_list";
}

/**
 * Returns the items in Quill's flat form, which `straightenLists` (list-reading.ts) reads back. Null if it cannot express them: items of several
 * blocks, numbers that do not begin with 1, neighbours of one kind, more than eight levels.
 */
export function flattenLists(lists: readonly Node[]): FlatItem[] | null {
  const items: FlatItem[] = [];
  return collect(lists, 0, -1, items) ? items : null;
}

function collect(lists: readonly Node[], level: number, parentIndent: number, items: FlatItem[]): boolean {
  let before: Node | null = null;
  let previousIndent: number = documentLimits.indent;
  for (const list of lists) {
    if (!isList(list) || list.type === before?.type || (list.attrs.order ?? 1) !== 1) return false;
    before = list;
    for (const item of list.children) {
      const paragraph = item.firstChild;
      if (!paragraph) return false;
      const indent = level + Number(paragraph.attrs.indent);
      // Read back, an item goes into the nearest one before it that is indented less.
      if (indent > previousIndent || indent <= parentIndent) return false;
      previousIndent = indent;
      const checked = item.type.name === "task_item" ? Boolean(item.attrs.checked) : null;
      const tag = list.type.name === "ordered_list" || checked !== null ? "ol" : "ul";
      items.push({ tag, indent, checked, paragraph });
      if (!collect(item.children.slice(1), level + 1, indent, items)) return false;
    }
  }
  return true;
}
