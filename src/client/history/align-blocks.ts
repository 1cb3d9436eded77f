import { documentToText } from "../../shared/document/to-text.ts";
import type { NodeJson } from "../../shared/document/schema.ts";

/** Two blocks side by side, or one alone; `isOne` if they are the same block, edited. */
export interface Pair {
  before: NodeJson | null;
  after: NodeJson | null;
  isOne: boolean;
}

/** The most characters of a block that are compared. */
const maxChars = 2_000;
/** The most pairs compared; beyond, blocks are paired by order. */
const maxPairs = 2_500;
/** The likeness (0 to 1) from which two blocks are the same. */
const minLikeness = 0.4;

interface Bigrams {
  type: string;
  /** The counts of character bigrams: unlike words they need no spaces. */
  pairs: Map<string, number>;
  size: number;
}

function bigramsOf(node: NodeJson): Bigrams {
  const text = documentToText(node).slice(0, maxChars);
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return { type: node.type, pairs, size: Math.max(0, text.length - 1) };
}

function likeness(one: Bigrams, other: Bigrams): number {
  if (one.type !== other.type) return 0;
  // Blocks without words, such as pictures and rules.
  if (one.size === 0 && other.size === 0) return 1;
  const [smaller, larger] = one.pairs.size < other.pairs.size ? [one, other] : [other, one];
  let common = 0;
  for (const [pair, times] of smaller.pairs) common += Math.min(times, larger.pairs.get(pair) ?? 0);
  return (2 * common) / (one.size + other.size);
}

/** Aligns two lists of blocks in order with the greatest total likeness; pairs the others side by side. */
export function alignBlocks(before: readonly NodeJson[], after: readonly NodeJson[]): Pair[] {
  if (before.length * after.length > maxPairs) return pairByOrder(before, after);
  const [one, other] = [before.map(bigramsOf), after.map(bigramsOf)];
  // best[i][j]: the greatest total likeness from i and j on.
  const best = Array.from({ length: before.length + 1 }, () => new Float64Array(after.length + 1));
  const like = one.map((left) => other.map((right) => likeness(left, right)));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const pair = like[i]![j]!;
      best[i]![j] = Math.max(
        best[i + 1]![j]!,
        best[i]![j + 1]!,
        pair >= minLikeness ? pair + best[i + 1]![j + 1]! : 0,
      );
    }
  const pairs: Pair[] = [];
  let [i, j, beforeStart, afterStart] = [0, 0, 0, 0];
  const close = () => pairs.push(...pairByOrder(before.slice(beforeStart, i), after.slice(afterStart, j)));
  while (i < before.length && j < after.length) {
    const pair = like[i]![j]!;
    if (pair >= minLikeness && best[i]![j] === pair + best[i + 1]![j + 1]!) {
      close();
      pairs.push({ before: before[i++]!, after: after[j++]!, isOne: true });
      [beforeStart, afterStart] = [i, j];
    } else if (best[i]![j] === best[i + 1]![j]) i++;
    else j++;
  }
  [i, j] = [before.length, after.length];
  close();
  return pairs;
}

/** Pairs unrelated blocks by order. */
function pairByOrder(before: readonly NodeJson[], after: readonly NodeJson[]): Pair[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
    before: before[at] ?? null,
    after: after[at] ?? null,
    isOne: false,
  }));
}
