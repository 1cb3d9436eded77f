import { diffArrays } from "diff";
import { LRUCache } from "lru-cache";
import type { Node } from "prosemirror-model";
import { Mapping, Step } from "prosemirror-transform";
import { isPictureName } from "../../shared/document/picture-names.ts";
import { schema } from "../../shared/document/schema.ts";
import { pictureIdOf } from "../media/paths.ts";

/** Milliseconds without a key after which a block is finished, wherever its author is. */
export const restsFor = 3_000;
/** Pages of which it is known where they write. */
const mostPages = 50;
/** Blocks that differ in a row, up to which it is looked which of them are the same. */
const mostDifferent = 200;

/** Where the words of a block that readers see stand in the text as it is written; without any it is a point. */
interface Span {
  from: number;
  to: number;
}

interface Followed {
  /** The commit that all positions are of. */
  seq: number;
  /** Where each page wrote last, and when. */
  pages: Map<string, { at: number; when: number }>;
  /** Of each block that readers see, as far as it is known, at that version of the blog. */
  seen: { version: number; spans: Span[] } | undefined;
  /** The same of what is just being published. */
  coming: Span[] | undefined;
}

/** What readers may see of a text. `isWaiting`: there is more that is not finished yet. */
export interface Finished {
  blocks: Node[];
  isWaiting: boolean;
}

/**
 * Which blocks of texts that are written live are finished: those that their authors have left, or that rest. Of one that is not,
 * readers see what it said when it was. It is in memory; where nothing is known a text that rests is finished.
 */
export class FinishedBlocks {
  readonly #followed = new LRUCache<string, Followed>({ max: 500 });

  /** A commit was stored; `page` wrote it, where somebody did. */
  committed(blogId: string, seq: number, sent: readonly unknown[], page: string | null, now: number): void {
    const known = this.#followed.get(blogId);
    // Otherwise something was missed.
    const isNext = known?.seq === seq - 1;
    const followed: Followed = isNext ? known : { seq, pages: new Map(), seen: undefined, coming: undefined };
    followed.seq = seq;
    const mapping = new Mapping();
    let touched: number | undefined;
    for (const step of sent.map((one) => Step.fromJSON(schema, one))) {
      const map = step.getMap();
      if (touched !== undefined) touched = map.map(touched, 1);
      mapping.appendMap(map);
      const { to } = step as Step & { to?: number };
      if (to !== undefined) touched = map.map(to, 1);
    }
    for (const one of followed.pages.values()) one.at = mapping.map(one.at, 1);
    for (const span of [...(followed.seen?.spans ?? []), ...(followed.coming ?? [])]) {
      span.from = mapping.map(span.from, 1);
      // What is written on behind its words is no part of them: it may be another block by then.
      span.to = Math.max(span.from, mapping.map(span.to, -1));
    }
    if (page !== null) {
      // Who writes the title has left the text.
      followed.pages.delete(page);
      if (touched !== undefined) followed.pages.set(page, { at: touched, when: now });
      if (followed.pages.size > mostPages) followed.pages.delete(followed.pages.keys().next().value!);
    }
    this.#followed.set(blogId, followed);
  }

  /**
   * What readers may see by now, of `written` as it is after the commit `seq`, which was `changedAt`; they see `shown`, the blog at
   * that version. With `all` everything is finished.
   */
  finished(
    blogId: string,
    shown: { document: Node; version: number },
    written: { document: Node; seq: number; changedAt: number },
    now: number,
    all: boolean,
  ): Finished {
    const known = this.#followed.get(blogId);
    const followed =
      known?.seq === written.seq
        ? known
        : { seq: written.seq, pages: new Map(), seen: undefined, coming: undefined };
    const isKnown = known === followed;
    const spans =
      followed.seen?.version === shown.version && followed.seen.spans.length === shown.document.childCount
        ? followed.seen.spans
        : spansBetween(shown.document, written.document);
    const busy = [...followed.pages.values()].filter(({ when }) => when > now - restsFor);
    const isRestless = !isKnown && written.changedAt > now - restsFor;
    const isHeld = ({ node, start, end }: Placed): boolean =>
      !all && (isRestless || busy.some(({ at }) => at > start && at < end) || hasForeign(node));
    const { blocks, from } = choose(shown.document, placed(written.document), spans, isHeld);
    followed.coming = from;
    this.#followed.set(blogId, followed);
    return { blocks, isWaiting: isRestless || busy.length > 0 };
  }

  /** Readers see what was found finished last: the first `count` blocks of it, in the blog of that version. */
  published(blogId: string, version: number, count: number): void {
    const followed = this.#followed.get(blogId);
    if (!followed?.coming) return;
    followed.seen = { version, spans: followed.coming.slice(0, count) };
    followed.coming = undefined;
  }

  forget(blogId?: string): void {
    if (blogId === undefined) this.#followed.clear();
    else this.#followed.delete(blogId);
  }
}

interface Placed {
  node: Node;
  start: number;
  end: number;
  words: Span;
}

function placed(document: Node): Placed[] {
  const blocks: Placed[] = [];
  document.forEach((node, start) => {
    const end = start + node.nodeSize;
    blocks.push({
      node,
      start,
      end,
      words: node.isLeaf ? { from: start, to: end } : { from: start + 1, to: end - 1 },
    });
  });
  return blocks;
}

/** Of blocks that have come of the same ones, all are shown as they are written, or all as readers see them. */
function choose(
  shown: Node,
  written: Placed[],
  spans: readonly Span[],
  isHeld: (block: Placed) => boolean,
): { blocks: Node[]; from: Span[] } {
  const blocks: Node[] = [];
  const from: Span[] = [];
  const show = (node: Node, { from: start, to }: Span) => {
    blocks.push(node);
    from.push({ from: start, to });
  };
  let next = 0;
  const showNew = (upTo: number) => {
    for (; next < upTo; next++) if (!isHeld(written[next]!)) show(written[next]!.node, written[next]!.words);
  };
  for (let at = 0; at < spans.length;) {
    let [first, last] = becameOf(spans[at]!, written, next);
    // It is gone.
    if (first > last) {
      at++;
      continue;
    }
    const old = at++;
    for (let more = at; more < spans.length; more++) {
      const [begin, end] = becameOf(spans[more]!, written, next);
      if (begin > end) continue;
      if (begin > last) break;
      last = Math.max(last, end);
      at = more + 1;
    }
    showNew(first);
    const group = written.slice(first, last + 1);
    if (group.some(isHeld))
      for (let index = old; index < at; index++) show(shown.child(index), spans[index]!);
    else for (const { node, words } of group) show(node, words);
    next = Math.max(next, last + 1);
  }
  showNew(written.length);
  return { blocks, from };
}

/** Which blocks have the words of a span: the first and the last; the first is behind the last where none has. */
function becameOf({ from, to }: Span, written: Placed[], after: number): [first: number, last: number] {
  let first = after;
  while (first < written.length && written[first]!.end <= from) first++;
  // A point between two blocks is in neither.
  if (from === to) return [first, (written[first]?.start ?? from) < from ? first : first - 1];
  let last = first - 1;
  while (last + 1 < written.length && written[last + 1]!.start < to) last++;
  return [first, last];
}

/** Where the blocks of one text are in another that nothing is known of: what differs in a row belongs together. */
function spansBetween(shown: Node, written: Node): Span[] {
  const there = placed(written);
  const json = (node: Node) => JSON.stringify(node.toJSON());
  const [before, after] = [shown.children.map(json), written.children.map(json)];
  const parts = diffArrays(before, after, { maxEditLength: mostDifferent }) ?? [
    { value: before, removed: true },
    { value: after, added: true },
  ];
  const spans: Span[] = [];
  let at = 0;
  for (const [index, { value, removed, added }] of parts.entries()) {
    if (added) {
      at += value.length;
      continue;
    }
    if (!removed) {
      for (const _ of value) spans.push({ ...there[at++]!.words });
      continue;
    }
    const instead = parts[index + 1]?.added ? parts[index + 1]!.value.length : 0;
    const place = there[at]?.start ?? written.content.size;
    const span =
      instead > 0
        ? { from: there[at]!.words.from, to: there[at + instead - 1]!.words.to }
        : { from: place, to: place };
    for (const _ of value) spans.push({ ...span });
  }
  return spans;
}

/** Whether it shows a picture that the site has not yet. */
function hasForeign(node: Node): boolean {
  let isForeign = false;
  node.descendants((child) => {
    if (isPictureName(child.type.name) && pictureIdOf(String(child.attrs.src)) === null) isForeign = true;
  });
  return isForeign || (isPictureName(node.type.name) && pictureIdOf(String(node.attrs.src)) === null);
}
