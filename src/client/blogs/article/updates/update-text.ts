import { blocksOf } from "../../../../shared/document/blocks.ts";
import { keepTextAnchored } from "./text-scroll-anchor.ts";
import { commonEnds, morph } from "./morph.ts";

/** The blocks of a text that were added or changed. */
export interface ChangedBlocks {
  added: Element[];
  changed: Element[];
}

/** The most block pairs compared. */
const maxPairs = 250_000;

/** Updates a rendered text from `before` to `after`; unchanged blocks keep their elements. */
export function updateText(body: HTMLElement, before: string, after: string): ChangedBlocks {
  const [was, is] = [blocksOf(before), blocksOf(after)];
  const elements = [...body.children];
  const brought: ChangedBlocks = { added: [], changed: [] };
  // Something else changed the page, such as a translator.
  if (elements.length !== was.length) {
    body.innerHTML = after;
    return brought;
  }
  const kept = commonBlocks(was, is);
  let [old, now] = [0, 0];
  keepTextAnchored(body, () => {
    for (const [left, right] of [...kept, [was.length, is.length] as const]) {
      replaceBlocks(body, elements.slice(old, left), is.slice(now, right), elements[left] ?? null, brought);
      [old, now] = [left + 1, right + 1];
    }
  });
  return brought;
}

/** Replaces blocks; an edited block keeps its element. */
function replaceBlocks(
  body: Element,
  shown: Element[],
  blocks: string[],
  after: Element | null,
  brought: ChangedBlocks,
): void {
  for (const block of blocks) {
    const now = elementOf(block);
    const at = shown.findIndex((element) => isEditOf(element, now));
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

/** Returns the longest common subsequence of blocks, as pairs of indexes. */
function commonBlocks(was: string[], is: string[]): [number, number][] {
  const isSame = (left: number, right: number) =>
    was[left] === is[right] || normalizedHtml(was[left]!) === normalizedHtml(is[right]!);
  const most = Math.min(was.length, is.length);
  let start = 0;
  while (start < most && isSame(start, start)) start++;
  let end = 0;
  while (end < most - start && isSame(was.length - 1 - end, is.length - 1 - end)) end++;
  const pairs = Array.from({ length: start }, (_, at): [number, number] => [at, at]);
  const [rows, columns] = [was.length - start - end, is.length - start - end];
  if (rows * columns <= maxPairs) {
    const [left, right] = [was.slice(start, start + rows), is.slice(start, start + columns)].map((blocks) =>
      blocks.map(normalizedHtml),
    ) as [string[], string[]];
    // best[i][j]: the length of the common subsequence from i and j on.
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

/** Whether they are the same block, edited: half of the shorter text is common. */
function isEditOf(one: Element, other: Element): boolean {
  if (one.nodeName !== other.nodeName) return false;
  const [words, others] = [one.textContent, other.textContent];
  const shorter = Math.min(words.length, others.length);
  if (shorter === 0) return words === others;
  const { start, end } = commonEnds(words, others);
  return 2 * (start + end) >= shorter;
}

function elementOf(block: string): Element {
  const read = document.createElement("template");
  read.innerHTML = block;
  return read.content.firstElementChild!;
}

/** Returns a block as this browser serializes it. */
const normalizedHtml = (block: string): string => elementOf(block).outerHTML;
