import type { Node, Slice } from "prosemirror-model";
import { AddMarkStep, RemoveMarkStep, type Step, ReplaceStep } from "prosemirror-transform";

/** Parts of a node's cost for each child of a parent: of one that the step builds and checks, and of one that it copies. */
const childCost = { checked: 1 / 6, copied: 1 / 40 };

/** Fields that some kinds of steps have. */
interface Parts {
  from?: number;
  to?: number;
  pos?: number;
  gapFrom?: number;
  slice?: Slice;
}

/**
 * Returns the work to apply a step, in nodes that it makes: half a microsecond each. Throws a RangeError for positions outside of
 * the document.
 */
export function stepCost(document: Node, step: Step): number {
  const { from, to, pos, gapFrom, slice } = step as Step & Parts;
  const [start, end] = [from ?? pos ?? 0, to ?? (pos ?? 0) + 1];
  let cost = 10;
  const count = () => void cost++;
  slice?.content.descendants(count);
  if (step instanceof AddMarkStep || step instanceof RemoveMarkStep) document.nodesBetween(start, end, count);
  const $start = document.resolve(start);
  // Parents that both ends share are copied, unless the slice is open there.
  const checkedFrom = Math.min($start.sharedDepth(end), $start.depth - (slice?.openStart ?? 0));
  for (const $end of [
    $start,
    document.resolve(end),
    ...(gapFrom === undefined ? [] : [document.resolve(gapFrom)]),
  ])
    for (let depth = 0; depth <= $end.depth; depth++)
      cost += $end.node(depth).childCount * (depth >= checkedFrom ? childCost.checked : childCost.copied);
  return cost;
}

/** Returns the step from one document to another; null if they are equal. */
export function stepBetween(one: Node, other: Node): ReplaceStep | null {
  const start = one.content.findDiffStart(other.content);
  if (start === null) return null;
  let { a, b } = one.content.findDiffEnd(other.content)!;
  // Both searches may match repeated content.
  const overlap = start - Math.min(a, b);
  if (overlap > 0) {
    a += overlap;
    b += overlap;
  }
  return new ReplaceStep(start, a, other.slice(start, b));
}
