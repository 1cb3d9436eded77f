import type { EditorState, Transaction } from "prosemirror-state";
import { Fragment, Slice } from "prosemirror-model";
import type { Node } from "prosemirror-model";
import { isOwnPath } from "../../shared/document/own-links.ts";
import { schema } from "../../shared/document/schema.ts";
import { typedLink } from "./links.ts";

const { link, code } = schema.marks;

/** Characters of a typed address. */
const longest = 2_000;
const address =
  /(?<![\p{L}\p{N}/@.])(?:https?:\/\/|www\.)[^\s<>"`\u200b-\u200f\u2028-\u202f\u2066-\u2069]+/giu;

/** Returns a text's addresses, without final punctuation and brackets opened before them. */
export function addressesIn(text: string): { from: number; to: number; href: string }[] {
  return [...text.matchAll(address)].flatMap(({ 0: found, index }) => {
    if (found.length > longest) return [];
    let bare = found.replace(/[.,:;!?…*_~'’”“»]+$/u, "");
    while (/[)\]}]$/.test(bare) && count(bare, /[([{]/g) < count(bare, /[)\]}]/g))
      bare = bare.slice(0, -1).replace(/[.,:;!?…*_~'’”“»]+$/u, "");
    const href = /[^/.]\.[^/.]|localhost/.test(bare) ? typedLink(bare) : null;
    const isOfPage = href !== null && (href.startsWith("http") || isOwnPath(href));
    return isOfPage ? [{ from: index, to: index + bare.length, href }] : [];
  });
}

const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

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
