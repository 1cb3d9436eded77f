import type { EditorState, Transaction } from "prosemirror-state";
import { Fragment, Slice } from "prosemirror-model";
import type { Node } from "prosemirror-model";
import { schema } from "../../shared/document/schema.ts";
import { findLinks } from "../../shared/links.ts";
import { typedLink } from "./links.ts";

const { link, code } = schema.marks;

/** Characters of a typed address. */
const longest = 2_000;

/** Returns the addresses of web pages in a text. */
export const addressesIn = (text: string): { from: number; to: number; href: string }[] =>
  findLinks(text).flatMap(([from, to]) => {
    const href = typedLink(text.slice(from, to));
    return href === null ? [] : [{ from, to, href }];
  });

/** Links the address that ends at the caret; null if none does, or it is linked or code. */
export function linkBefore(state: EditorState, caret: number): Transaction | null {
  const $at = state.doc.resolve(caret);
  const { parent, parentOffset } = $at;
  if (!parent.isTextblock || !parent.type.allowsMarkType(link)) return null;
  const word = /\S*$/.exec(
    parent.textBetween(Math.max(0, parentOffset - longest), parentOffset, null, "\ufffc"),
  )![0];
  const found = addressesIn(word).at(-1);
  // Only punctuation can follow it.
  if (!found || /[\p{L}\p{N}]/u.test(word.slice(found.to))) return null;
  const start = caret - word.length;
  const [from, to] = [start + found.from, start + found.to];
  if (state.doc.rangeHasMark(from, to, link) || state.doc.rangeHasMark(from, to, code)) return null;
  return state.tr.addMark(from, to, link.create({ href: found.href })).removeStoredMark(link);
}

/** Links the addresses in pasted plain text. */
export function withLinks(slice: Slice): Slice {
  const linked = (fragment: Fragment): Fragment => {
    const children: Node[] = [];
    fragment.forEach((node) =>
      children.push(...(node.isText ? parts(node) : [node.copy(linked(node.content))])),
    );
    return Fragment.fromArray(children);
  };
  return new Slice(linked(slice.content), slice.openStart, slice.openEnd);
}

function parts(node: Node): Node[] {
  const text = node.text!;
  const cut: Node[] = [];
  let end = 0;
  for (const { from, to, href } of addressesIn(text)) {
    if (from > end) cut.push(node.cut(end, from));
    const piece = node.cut(from, to);
    cut.push(piece.mark(link.create({ href }).addToSet(piece.marks)));
    end = to;
  }
  if (end < text.length) cut.push(node.cut(end));
  return cut;
}
