import type { Mark } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { Command, EditorState } from "prosemirror-state";
import { isOwnPath, ownPathOf } from "../../shared/document/own-links.ts";
import { safeLink } from "../../shared/document/values.ts";
import { schema } from "../../shared/document/schema.ts";

const { link } = schema.marks;

/** Returns an address as texts store it: a blog of this site by its path. */
export const storedLink = (href: string): string => ownPathOf(href, globalThis.location?.origin ?? "");

/** Returns a stored address as people write it. */
export const shownLink = (href: string): string => (isOwnPath(href) ? location.origin + href : href);

/** Parses a typed address; `example.org` and `ana@example.org` work too. Null if it is none. */
export function typedLink(text: string): string | null {
  const href = wholeLink(text.trim());
  return href && storedLink(href);
}

function wholeLink(address: string): string | null {
  if (isOwnPath(address)) return address;
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address)) return safeLink(address);
  if (address.startsWith("//")) return safeLink(`https:${address}`);
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(address)) return safeLink(`mailto:${address}`);
  if (/^[^\s/]+\.[^\s/.]{2,}(?:[/:?#]\S*)?$/.test(address) || /^localhost(?:[:/]\S*)?$/.test(address))
    return safeLink(`https://${address}`);
  return null;
}

/** Returns the whole link that the selection touches. */
export function linkAt(state: EditorState): { mark: Mark; from: number; to: number } | null {
  const { $from, $to, empty } = state.selection;
  const parent = $from.parent;
  if (!parent.isTextblock || !$from.sameParent($to)) return null;
  const start = $from.start();
  let found: { mark: Mark; from: number; to: number } | null = null;
  let run: { mark: Mark; from: number; to: number } | null = null;
  const touches = (span: { from: number; to: number }) =>
    empty ? span.from <= $from.pos && $from.pos <= span.to : span.from < $to.pos && $from.pos < span.to;
  parent.forEach((child, offset) => {
    const mark = link.isInSet(child.marks);
    const from = start + offset;
    if (mark && run && run.mark.eq(mark)) run.to = from + child.nodeSize;
    else run = mark ? { mark, from, to: from + child.nodeSize } : null;
    if (run && touches(run)) found = run;
  });
  return found;
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Returns the word around the caret. */
function wordAt({ selection: { $from } }: EditorState): { from: number; to: number } | null {
  const { parent, parentOffset } = $from;
  if (!parent.isTextblock) return null;
  const text = parent.textBetween(0, parent.content.size, null, "\ufffc");
  for (const { index, segment, isWordLike } of words.segment(text)) {
    if (index > parentOffset) return null;
    const end = index + segment.length;
    if (isWordLike && end >= parentOffset) return { from: $from.start() + index, to: $from.start() + end };
  }
  return null;
}

/** Returns the ranges of the selection: one for each cell if cells of a table are selected, otherwise one. */
const selectedRanges = ({ selection }: EditorState): { from: number; to: number }[] =>
  selection.ranges.map(({ $from, $to }) => ({ from: $from.pos, to: $to.pos }));

/** Links the selection or the word with the caret, changes its link, or inserts the address. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const present = linkAt(state);
    const { empty, $from } = state.selection;
    const word = empty ? wordAt(state) : null;
    const { from, to } = word ?? state.selection;
    const mark = link.create({ href });
    const tr = state.tr;
    if (present && (empty || (from >= present.from && to <= present.to))) {
      tr.removeMark(present.from, present.to, link).addMark(present.from, present.to, mark);
    } else if (from === to) {
      if (!$from.parent.type.allowsMarkType(link)) return false;
      const text = schema.text(
        href.replace(/^(?:https?:\/\/|mailto:|tel:)/i, ""),
        mark.addToSet($from.marks()),
      );
      tr.insert(from, text).setSelection(TextSelection.create(tr.doc, from + text.nodeSize));
    } else {
      for (const range of word ? [word] : selectedRanges(state))
        tr.removeMark(range.from, range.to, link).addMark(range.from, range.to, mark);
      if (!tr.docChanged) return false;
    }
    dispatch?.(tr.removeStoredMark(link).scrollIntoView());
    return true;
  };
}

export const removeLink: Command = (state, dispatch) => {
  const present = linkAt(state);
  const { tr } = state;
  for (const { from, to } of [...selectedRanges(state), ...(present ? [present] : [])])
    tr.removeMark(from, to, link);
  if (!tr.docChanged) return false;
  dispatch?.(tr.removeStoredMark(link));
  return true;
};
