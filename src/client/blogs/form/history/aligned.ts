import { documentToText } from "../../../../shared/document/to-text.ts";
import type { NodeJson } from "../../../../shared/document/schema.ts";

/** Two blocks beside each other, or one that stands alone; `isOne` where they are the same one written otherwise. */
export interface Pair {
  before: NodeJson | null;
  after: NodeJson | null;
  isOne: boolean;
}

/** Of a block so many characters are looked at to tell whether it is another one written otherwise. */
const looked = 2_000;
/** So many pairs are looked at; beyond that the blocks stand beside each other in their order. */
const mostPairs = 2_500;
/** What two have in common, of one, from which on they are the same block. */
const alike = 0.4;

interface Look {
  type: string;
  /** How often each two characters stand beside each other; words would need spaces between them. */
  pairs: Map<string, number>;
  size: number;
}

function lookAt(node: NodeJson): Look {
  const text = documentToText(node).slice(0, looked);
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return { type: node.type, pairs, size: Math.max(0, text.length - 1) };
}

function likeness(one: Look, other: Look): number {
  if (one.type !== other.type) return 0;
  // Without words, pictures and rules.
  if (one.size === 0 && other.size === 0) return 1;
  const [few, many] = one.pairs.size < other.pairs.size ? [one, other] : [other, one];
  let common = 0;
  for (const [pair, times] of few.pairs) common += Math.min(times, many.pairs.get(pair) ?? 0);
  return (2 * common) / (one.size + other.size);
}

/** Which of these blocks is which of those, as much alike as can be, in their order. What is left of both stands side by side. */
export function aligned(before: readonly NodeJson[], after: readonly NodeJson[]): Pair[] {
  if (before.length * after.length > mostPairs) return beside(before, after);
  const [one, other] = [before.map(lookAt), after.map(lookAt)];
  // best[i][j]: how much of the blocks from i and from j on is alike, at most.
  const best = Array.from({ length: before.length + 1 }, () => new Float64Array(after.length + 1));
  const like = one.map((left) => other.map((right) => likeness(left, right)));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const pair = like[i]![j]!;
      best[i]![j] = Math.max(
        best[i + 1]![j]!,
        best[i]![j + 1]!,
        pair >= alike ? pair + best[i + 1]![j + 1]! : 0,
      );
    }
  const pairs: Pair[] = [];
  let [i, j, from, since] = [0, 0, 0, 0];
  const close = () => pairs.push(...beside(before.slice(from, i), after.slice(since, j)));
  while (i < before.length && j < after.length) {
    const pair = like[i]![j]!;
    if (pair >= alike && best[i]![j] === pair + best[i + 1]![j + 1]!) {
      close();
      pairs.push({ before: before[i++]!, after: after[j++]!, isOne: true });
      [from, since] = [i, j];
    } else if (best[i]![j] === best[i + 1]![j]) i++;
    else j++;
  }
  [i, j] = [before.length, after.length];
  close();
  return pairs;
}

/** Blocks that have nothing in common: what is gone, and what has come in its place. */
function beside(before: readonly NodeJson[], after: readonly NodeJson[]): Pair[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
    before: before[at] ?? null,
    after: after[at] ?? null,
    isOne: false,
  }));
}
