import type { Node } from "prosemirror-model";
import { ReplaceStep } from "prosemirror-transform";

/** The one step that makes the one document the other; null where they are the same. */
export function stepBetween(one: Node, other: Node): ReplaceStep | null {
  const start = one.content.findDiffStart(other.content);
  if (start === null) return null;
  let { a, b } = one.content.findDiffEnd(other.content)!;
  // Both ends may claim what is repeated.
  const overlap = start - Math.min(a, b);
  if (overlap > 0) {
    a += overlap;
    b += overlap;
  }
  return new ReplaceStep(start, a, other.slice(start, b));
}
