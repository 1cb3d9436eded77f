import type { Node } from "prosemirror-model";
import { ReplaceStep } from "prosemirror-transform";

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
