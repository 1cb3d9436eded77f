import { diffArrays } from "diff";
import { LRUCache } from "lru-cache";
import type { Node } from "prosemirror-model";
import { Mapping, type Step } from "prosemirror-transform";
import { isPictureName } from "../../shared/document/picture-names.ts";
import { pictureIdOf } from "../media/paths.ts";

/** Milliseconds without a keystroke after which a block is finished. */
export const idleMs = 3_000;
/** The most pages whose position is tracked per text. */
const mostPages = 50;
/** The longest run of differing blocks that is diffed. */
const mostDifferent = 200;
/** The most positions of blocks that one commit maps, times its steps. */
const mostMapped = 200_000;

/** The words of a published block in the draft; empty for a deleted block. */
interface Span {
  from: number;
  to: number;
}

interface TrackedText {
  /** The commit to which all positions refer. */
  seq: number;
  /** Where and when each page last wrote. */
  pages: Map<string, { at: number; changedAt: number }>;
  /** The spans of the published blocks at that etag. */
  published: { etag: number; spans: Span[] } | undefined;
  /** The spans of what is being published. */
  publishing: Span[] | undefined;
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
  readonly #texts = new LRUCache<string, TrackedText>({ max: 500 });

  /** Records a stored commit, and the `page` that wrote it, if any. */
  recordCommit(blogId: string, seq: number, steps: readonly Step[], page: string | null, now: number): void {
    const tracked = this.#texts.get(blogId);
    // Otherwise a commit was missed.
    const isNext = tracked?.seq === seq - 1;
    const text: TrackedText = isNext
      ? tracked
      : { seq, pages: new Map(), published: undefined, publishing: undefined };
    text.seq = seq;
    const mapping = new Mapping();
    let lastEdit: number | undefined;
    for (const step of steps) {
      const map = step.getMap();
      if (lastEdit !== undefined) lastEdit = map.map(lastEdit, 1);
      mapping.appendMap(map);
      const { to } = step as Step & { to?: number };
      if (to !== undefined) lastEdit = map.map(to, 1);
    }
    for (const otherPage of text.pages.values()) otherPage.at = mapping.map(otherPage.at, 1);
    const spans = [...(text.published?.spans ?? []), ...(text.publishing ?? [])];
    // A comparison of the texts costs less.
    if (spans.length * mapping.maps.length > mostMapped) {
      text.published = undefined;
      text.publishing = undefined;
    } else
      for (const span of spans) {
        span.from = mapping.map(span.from, 1);
        // Text added after the words may belong to another block by then.
        span.to = Math.max(span.from, mapping.map(span.to, -1));
      }
    if (page !== null) {
      // A page that edits the title has left the text.
      text.pages.delete(page);
      if (lastEdit !== undefined) text.pages.set(page, { at: lastEdit, changedAt: now });
      if (text.pages.size > mostPages) text.pages.delete(text.pages.keys().next().value!);
    }
    this.#texts.set(blogId, text);
  }

  /**
   * Returns what readers, who see `displayed`, can see of `current`: the state after commit `seq` at `changedAt`. With `all`
   * everything is finished.
   */
  finishedBlocks(
    blogId: string,
    displayed: { document: Node; etag: number },
    current: { document: Node; seq: number; changedAt: number },
    now: number,
    all: boolean,
  ): Finished {
    const tracked = this.#texts.get(blogId);
    const text =
      tracked?.seq === current.seq
        ? tracked
        : { seq: current.seq, pages: new Map(), published: undefined, publishing: undefined };
    const isTracked = tracked === text;
    const spans =
      text.published?.etag === displayed.etag && text.published.spans.length === displayed.document.childCount
        ? text.published.spans
        : spansBetween(displayed.document, current.document);
    const busy = [...text.pages.values()].filter(({ changedAt }) => changedAt > now - idleMs);
    const isRecentlyChanged = !isTracked && current.changedAt > now - idleMs;
    const isUnfinished = ({ node, start, end }: Placed): boolean =>
      !all && (isRecentlyChanged || busy.some(({ at }) => at > start && at < end) || hasRemoteImage(node));
    const { blocks, from } = choose(displayed.document, placeBlocks(current.document), spans, isUnfinished);
    text.publishing = from;
    this.#texts.set(blogId, text);
    return { blocks, isWaiting: isRecentlyChanged || busy.length > 0 };
  }

  /** Records that `etag` shows the first `count` blocks that `finishedBlocks` returned last. */
  recordPublished(blogId: string, etag: number, count: number): void {
    const text = this.#texts.get(blogId);
    if (!text?.publishing) return;
    text.published = { etag, spans: text.publishing.slice(0, count) };
    text.publishing = undefined;
  }

  forget(blogId?: string): void {
    if (blogId === undefined) this.#texts.clear();
    else this.#texts.delete(blogId);
  }
}

interface Placed {
  node: Node;
  start: number;
  end: number;
  content: Span;
}

function placeBlocks(document: Node): Placed[] {
  const blocks: Placed[] = [];
  document.forEach((node, start) => {
    const end = start + node.nodeSize;
    blocks.push({
      node,
      start,
      end,
      content: node.isLeaf ? { from: start, to: end } : { from: start + 1, to: end - 1 },
    });
  });
  return blocks;
}

/** Shows blocks of a common origin either all as written or all as published. */
function choose(
  displayed: Node,
  current: Placed[],
  spans: readonly Span[],
  isUnfinished: (block: Placed) => boolean,
): { blocks: Node[]; from: Span[] } {
  const blocks: Node[] = [];
  const from: Span[] = [];
  const show = (node: Node, { from: start, to }: Span) => {
    blocks.push(node);
    from.push({ from: start, to });
  };
  let next = 0;
  const showUntil = (end: number) => {
    for (; next < end; next++)
      if (!isUnfinished(current[next]!)) show(current[next]!.node, current[next]!.content);
  };
  for (let at = 0; at < spans.length;) {
    let [first, last] = blocksOfSpan(spans[at]!, current, next);
    // Deleted.
    if (first > last) {
      at++;
      continue;
    }
    const start = at++;
    for (let more = at; more < spans.length; more++) {
      const [begin, end] = blocksOfSpan(spans[more]!, current, next);
      if (begin > end) continue;
      if (begin > last) break;
      last = Math.max(last, end);
      at = more + 1;
    }
    showUntil(first);
    const group = current.slice(first, last + 1);
    if (group.some(isUnfinished))
      for (let index = start; index < at; index++) show(displayed.child(index), spans[index]!);
    else for (const { node, content } of group) show(node, content);
    next = Math.max(next, last + 1);
  }
  showUntil(current.length);
  return { blocks, from };
}

/** Returns the first and last block with words of a span; first > last for none. */
function blocksOfSpan({ from, to }: Span, current: Placed[], after: number): [first: number, last: number] {
  let first = after;
  while (first < current.length && current[first]!.end <= from) first++;
  // A point between two blocks is in neither.
  if (from === to) return [first, (current[first]?.start ?? from) < from ? first : first - 1];
  let last = first - 1;
  while (last + 1 < current.length && current[last + 1]!.start < to) last++;
  return [first, last];
}

/** Diffs two texts of unknown history; a run of differing blocks becomes one span. */
function spansBetween(displayed: Node, current: Node): Span[] {
  const blocks = placeBlocks(current);
  const json = (node: Node) => JSON.stringify(node.toJSON());
  const [before, after] = [displayed.children.map(json), current.children.map(json)];
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
      for (const _ of value) spans.push({ ...blocks[at++]!.content });
      continue;
    }
    const addedCount = parts[index + 1]?.added ? parts[index + 1]!.value.length : 0;
    const place = blocks[at]?.start ?? current.content.size;
    const span =
      addedCount > 0
        ? { from: blocks[at]!.content.from, to: blocks[at + addedCount - 1]!.content.to }
        : { from: place, to: place };
    for (const _ of value) spans.push({ ...span });
  }
  return spans;
}

function hasRemoteImage(node: Node): boolean {
  let hasRemoteSrc = false;
  node.descendants((child) => {
    if (isPictureName(child.type.name) && pictureIdOf(String(child.attrs.src)) === null) hasRemoteSrc = true;
  });
  return hasRemoteSrc || (isPictureName(node.type.name) && pictureIdOf(String(node.attrs.src)) === null);
}
