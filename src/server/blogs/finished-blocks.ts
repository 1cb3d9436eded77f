import { diffArrays } from "diff";
import { LRUCache } from "lru-cache";
import type { Node } from "prosemirror-model";
import { Mapping, Step } from "prosemirror-transform";
import { isPictureName } from "../../shared/document/picture-names.ts";
import { schema } from "../../shared/document/schema.ts";
import { pictureIdOf } from "../media/paths.ts";

/** Milliseconds without a keystroke after which a block is finished. */
export const idleMs = 3_000;
/** The most pages whose position is tracked per text. */
const mostPages = 50;
/** The longest run of differing blocks that is diffed. */
const mostDifferent = 200;

/** The words of a published block in the working copy; empty for a deleted block. */
interface Span {
  from: number;
  to: number;
}

interface TrackedText {
  /** The commit to which all positions refer. */
  seq: number;
  /** Where and when each page last wrote. */
  pages: Map<string, { at: number; when: number }>;
  /** The spans of the published blocks at that version. */
  seen: { version: number; spans: Span[] } | undefined;
  /** The spans of what is being published. */
  coming: Span[] | undefined;
}

/** The blocks that readers can see. `isWaiting`: unfinished ones remain. */
export interface Finished {
  blocks: Node[];
  isWaiting: boolean;
}

/**
 * Tracks which blocks of live-written texts are finished: left by their authors or idle. Of others readers see the last
 * finished state. In memory only; without data an idle text is finished.
 */
export class FinishedBlocks {
  readonly #followed = new LRUCache<string, TrackedText>({ max: 500 });

  /** Records a stored commit, and the `page` that wrote it, if any. */
  committed(blogId: string, seq: number, sent: readonly unknown[], page: string | null, now: number): void {
    const known = this.#followed.get(blogId);
    // Otherwise a commit was missed.
    const isNext = known?.seq === seq - 1;
    const followed: TrackedText = isNext
      ? known
      : { seq, pages: new Map(), seen: undefined, coming: undefined };
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
      // Text added after the words may belong to another block by then.
      span.to = Math.max(span.from, mapping.map(span.to, -1));
    }
    if (page !== null) {
      // A page that edits the title has left the text.
      followed.pages.delete(page);
      if (touched !== undefined) followed.pages.set(page, { at: touched, when: now });
      if (followed.pages.size > mostPages) followed.pages.delete(followed.pages.keys().next().value!);
    }
    this.#followed.set(blogId, followed);
  }

  /**
   * Returns what readers, who see `shown`, can see of `written`: the state after commit `seq` at `changedAt`. With `all`
   * everything is finished.
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
    const busy = [...followed.pages.values()].filter(({ when }) => when > now - idleMs);
    const isRestless = !isKnown && written.changedAt > now - idleMs;
    const isHeld = ({ node, start, end }: Placed): boolean =>
      !all && (isRestless || busy.some(({ at }) => at > start && at < end) || hasRemoteImage(node));
    const { blocks, from } = choose(shown.document, placed(written.document), spans, isHeld);
    followed.coming = from;
    this.#followed.set(blogId, followed);
    return { blocks, isWaiting: isRestless || busy.length > 0 };
  }

  /** Records that `version` shows the first `count` blocks that `finished` returned last. */
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

/** Shows blocks of a common origin either all as written or all as published. */
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
    let [first, last] = blocksOfSpan(spans[at]!, written, next);
    // Deleted.
    if (first > last) {
      at++;
      continue;
    }
    const old = at++;
    for (let more = at; more < spans.length; more++) {
      const [begin, end] = blocksOfSpan(spans[more]!, written, next);
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

/** Returns the first and last block with words of a span; first > last for none. */
function blocksOfSpan({ from, to }: Span, written: Placed[], after: number): [first: number, last: number] {
  let first = after;
  while (first < written.length && written[first]!.end <= from) first++;
  // A point between two blocks is in neither.
  if (from === to) return [first, (written[first]?.start ?? from) < from ? first : first - 1];
  let last = first - 1;
  while (last + 1 < written.length && written[last + 1]!.start < to) last++;
  return [first, last];
}

/** Diffs two texts of unknown history; a run of differing blocks becomes one span. */
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

function hasRemoteImage(node: Node): boolean {
  let isForeign = false;
  node.descendants((child) => {
    if (isPictureName(child.type.name) && pictureIdOf(String(child.attrs.src)) === null) isForeign = true;
  });
  return isForeign || (isPictureName(node.type.name) && pictureIdOf(String(node.attrs.src)) === null);
}
