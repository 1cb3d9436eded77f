import { blocksOf } from "../../../../shared/document/top-level-blocks.ts";
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
  const [oldBlocks, newBlocks] = [blocksOf(before), blocksOf(after)];
  const elements = [...body.children];
  const changes: ChangedBlocks = { added: [], changed: [] };
  // Something else changed the page, such as a translator.
  if (elements.length !== oldBlocks.length) {
    body.innerHTML = after;
    return changes;
  }
  const common = commonBlocks(oldBlocks, newBlocks);
  let [old, now] = [0, 0];
  keepTextAnchored(body, () => {
    for (const [left, right] of [...common, [oldBlocks.length, newBlocks.length] as const]) {
      replaceBlocks(
        body,
        elements.slice(old, left),
        newBlocks.slice(now, right),
        elements[left] ?? null,
        changes,
      );
      [old, now] = [left + 1, right + 1];
    }
  });
  return changes;
}

/** Replaces blocks; an edited block keeps its element. */
function replaceBlocks(
  body: Element,
  shown: Element[],
  blocks: string[],
  after: Element | null,
  changes: ChangedBlocks,
): void {
  for (const block of blocks) {
    const now = elementOf(block);
    const at = shown.findIndex((element) => isEditOf(element, now));
    if (at >= 0) {
      for (const removed of shown.splice(0, at)) removed.remove();
      const [edited] = shown.splice(0, 1);
      morph(edited!, now);
      changes.changed.push(edited!);
    } else {
      body.insertBefore(now, shown[0] ?? after);
      changes.added.push(now);
    }
  }
  for (const removed of shown) removed.remove();
}

/** Returns the longest common subsequence of blocks, as pairs of indexes. */
function commonBlocks(oldBlocks: string[], newBlocks: string[]): [number, number][] {
  const isSame = (left: number, right: number) =>
    oldBlocks[left] === newBlocks[right] ||
    normalizedHtml(oldBlocks[left]!) === normalizedHtml(newBlocks[right]!);
  const maxCommon = Math.min(oldBlocks.length, newBlocks.length);
  let start = 0;
  while (start < maxCommon && isSame(start, start)) start++;
  let end = 0;
  while (end < maxCommon - start && isSame(oldBlocks.length - 1 - end, newBlocks.length - 1 - end)) end++;
  const pairs = Array.from({ length: start }, (_, at): [number, number] => [at, at]);
  const [rows, columns] = [oldBlocks.length - start - end, newBlocks.length - start - end];
  if (rows * columns <= maxPairs) {
    const [left, right] = [oldBlocks.slice(start, start + rows), newBlocks.slice(start, start + columns)].map(
      (blocks) => blocks.map(normalizedHtml),
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
  for (let at = end; at > 0; at--) pairs.push([oldBlocks.length - at, newBlocks.length - at]);
  return pairs;
}

/** Whether they are the same block, edited: half of the shorter text is common. */
function isEditOf(one: Element, other: Element): boolean {
  if (one.nodeName !== other.nodeName) return false;
  const [text, otherText] = [one.textContent, other.textContent];
  const shorter = Math.min(text.length, otherText.length);
  if (shorter === 0) return text === otherText;
  const { start, end } = commonEnds(text, otherText);
  return 2 * (start + end) >= shorter;
}

function elementOf(block: string): Element {
  const template = document.createElement("template");
  template.innerHTML = block;
  return template.content.firstElementChild!;
}

/** Returns a block as this browser serializes it. */
const normalizedHtml = (block: string): string => elementOf(block).outerHTML;
