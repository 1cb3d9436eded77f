import { InputRule } from "prosemirror-inputrules";
import { Plugin } from "prosemirror-state";
import type { EditorState, Transaction } from "prosemirror-state";
import { Fragment, Slice } from "prosemirror-model";
import type { Mark, Node } from "prosemirror-model";
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
  if (state.doc.rangeHasMark(from, to, code)) return null;
  // A pasted address can be cut, with its link whole.
  const isCut = word[found.to] === "…" && state.doc.rangeHasMark(from, to, link);
  if (isCut || !mayBeRelinked(state.doc, from, to)) return null;
  return state.tr.addMark(from, to, link.create({ href: found.href })).removeStoredMark(link);
}

/** Whether a part of an address has no link, and each link there was one to that text, whose end may have been corrected. */
function mayBeRelinked(doc: Node, from: number, to: number): boolean {
  let [mayBe, isNew] = [true, false];
  doc.nodesBetween(from, to, (node, pos) => {
    if (!node.isText) return;
    const linked = hrefOf(node);
    const text = node.text!.slice(Math.max(0, from - pos), to - pos);
    if (linked === undefined) isNew = true;
    else if (!linked.startsWith(typedLink(text) ?? text)) mayBe = false;
  });
  return mayBe && isNew;
}

const hrefOf = ({ marks }: Node): string | undefined => link.isInSet(marks)?.attrs.href as string | undefined;

/** Letters of a word. Scripts without spaces between words would never leave a link. */
const ofWord = /^[\p{L}\p{N}\p{M}]+$/u;
const withoutSpaces = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Returns the link whose last word goes on with `text` in place of such a range. An address is linked again once it is typed. */
function continuedLink({ doc }: EditorState, from: number, to: number, text: string): Mark | null {
  const before = doc.resolve(from).nodeBefore;
  const mark = before && link.isInSet(before.marks);
  if (!mark || !ofWord.test(text) || withoutSpaces.test(text) || /^(?:https?:|www\.)/i.test(before.text!))
    return null;
  return from === to || mark.isInSet(doc.resolve(to).nodeBefore?.marks ?? []) ? mark : null;
}

/** Letters typed at a link's last word, or in its place, are linked too. */
export const linkedWords = (): Plugin =>
  new Plugin({
    props: {
      handleTextInput(view, from, to, text, insertion) {
        const mark = view.composing ? null : continuedLink(view.state, from, to, text);
        if (mark) view.dispatch(insertion().addMark(from, from + text.length, mark));
        return mark !== null;
      },
    },
  });

/** The same after a composition (IME, phones), whose text is in the document. */
export const composedInLink = new InputRule(
  /[\p{L}\p{N}\p{M}]+$/u,
  (state, [word], start, end) => {
    if (end - start < word.length) return null;
    for (let at = end - 1; at >= start; at--) {
      const mark = continuedLink(state, at, at, word.slice(at - start));
      if (mark) return state.doc.rangeHasMark(at, end, link) ? null : state.tr.addMark(at, end, mark);
    }
    return null;
  },
  { undoable: false },
);

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
