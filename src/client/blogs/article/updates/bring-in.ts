import { blocksOf } from "../../../../shared/document/blocks.ts";
import { holdStill } from "./hold-still.ts";
import { common, morph } from "./morph.ts";

/** What became of a text's blocks: those that are new, and those that say something else now. */
export interface Brought {
  added: Element[];
  changed: Element[];
}

/** Pairs of blocks that are looked at to tell which of them are the same. */
const mostPairs = 250_000;

/** Brings a text into what is drawn of the one before: blocks that are the same stay the very elements that they are. */
export function bringIn(body: HTMLElement, before: string, after: string): Brought {
  const [was, is] = [blocksOf(before), blocksOf(after)];
  const elements = [...body.children];
  const brought: Brought = { added: [], changed: [] };
  // Something else has changed what is drawn, as a translator does.
  if (elements.length !== was.length) {
    body.innerHTML = after;
    return brought;
  }
  const kept = sameBlocks(was, is);
  let [old, now] = [0, 0];
  holdStill(body, () => {
    for (const [left, right] of [...kept, [was.length, is.length] as const]) {
      change(body, elements.slice(old, left), is.slice(now, right), elements[left] ?? null, brought);
      [old, now] = [left + 1, right + 1];
    }
  });
  return brought;
}

/** Puts blocks in the place of others; one that was written otherwise stays where it is. */
function change(
  body: Element,
  shown: Element[],
  blocks: string[],
  after: Element | null,
  brought: Brought,
): void {
  for (const block of blocks) {
    const now = elementOf(block);
    const at = shown.findIndex((element) => isLike(element, now));
    if (at >= 0) {
      for (const gone of shown.splice(0, at)) gone.remove();
      const [same] = shown.splice(0, 1);
      morph(same!, now);
      brought.changed.push(same!);
    } else {
      body.insertBefore(now, shown[0] ?? after);
      brought.added.push(now);
    }
  }
  for (const gone of shown) gone.remove();
}

/** Which blocks are in both, in their order: as many as can be. */
function sameBlocks(was: string[], is: string[]): [number, number][] {
  const isSame = (left: number, right: number) =>
    was[left] === is[right] || asRead(was[left]!) === asRead(is[right]!);
  const most = Math.min(was.length, is.length);
  let start = 0;
  while (start < most && isSame(start, start)) start++;
  let end = 0;
  while (end < most - start && isSame(was.length - 1 - end, is.length - 1 - end)) end++;
  const pairs = Array.from({ length: start }, (_, at): [number, number] => [at, at]);
  const [rows, columns] = [was.length - start - end, is.length - start - end];
  if (rows * columns <= mostPairs) {
    const [left, right] = [was.slice(start, start + rows), is.slice(start, start + columns)].map((blocks) =>
      blocks.map(asRead),
    ) as [string[], string[]];
    // best[i][j]: how many are in both from i and from j on.
    const best = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
    for (let i = rows - 1; i >= 0; i--)
      for (let j = columns - 1; j >= 0; j--)
        best[i]![j] =
          left[i] === right[j] ? 1 + best[i + 1]![j + 1]! : Math.max(best[i + 1]![j]!, best[i]![j + 1]!);
    for (let i = 0, j = 0; i < rows && j < columns;)
      if (left[i] === right[j]) pairs.push([start + i++, start + j++]);
      else if (best[i + 1]![j]! >= best[i]![j + 1]!) i++;
      else j++;
  }
  for (let at = end; at > 0; at--) pairs.push([was.length - at, is.length - at]);
  return pairs;
}

/** Whether it is the same block, written otherwise: half of the shorter one's words at least. */
function isLike(one: Element, other: Element): boolean {
  if (one.nodeName !== other.nodeName) return false;
  const [words, others] = [one.textContent, other.textContent];
  const shorter = Math.min(words.length, others.length);
  if (shorter === 0) return words === others;
  const { start, end } = common(words, others);
  return 2 * (start + end) >= shorter;
}

function elementOf(block: string): Element {
  const read = document.createElement("template");
  read.innerHTML = block;
  return read.content.firstElementChild!;
}

/** As this browser writes it down, which it did for what it was sent with the page. */
const asRead = (block: string): string => elementOf(block).outerHTML;
