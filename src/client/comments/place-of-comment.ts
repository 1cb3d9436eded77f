import type { ArrivalPosition } from "../ui/arrivals/arrival-queue.ts";
import type { Row } from "./tree.ts";
import type { View } from "./view-state.ts";

/** Positions in the window, in CSS pixels; undefined for what is not rendered. */
export interface ListView {
  topOf(id: string): number | undefined;
  end(): number | undefined;
  placeAt(top: number): ArrivalPosition;
}

/**
 * Returns where unrendered comments would appear: each above the next rendered row. Above the window nothing moves
 * (scroll-anchor.tsx), so a reply there is out of sight; a thread is passed, since the reader would miss it.
 */
export function positionsOfComments(
  ids: readonly string[],
  rows: readonly Row[],
  { folded, start }: View,
  { topOf, end, placeAt }: ListView,
): Map<string, ArrivalPosition> {
  const idSet = new Set(ids);
  const places = new Map<string, ArrivalPosition>();
  const bottom = end();
  let below = bottom ?? 0;
  let checkedFrom = rows.length;
  // From the end, to find each next rendered row once.
  for (let index = rows.length - 1; index >= 0; index--) {
    const { comment, depth } = rows[index]!;
    if (!idSet.has(comment.id)) continue;
    let top: number | undefined;
    for (let next = index + 1; next < checkedFrom && top === undefined; next++)
      top = topOf(rows[next]!.comment.id);
    below = top ?? below;
    checkedFrom = index;
    const isThread = depth === 0;
    if (isFoldedAway(rows, index, folded) || bottom === undefined) places.set(comment.id, "out of sight");
    // The rendered rows start further down.
    else if (isThread && start) places.set(comment.id, "passed");
    else {
      const place = placeAt(below);
      places.set(comment.id, place === "passed" && !isThread ? "out of sight" : place);
    }
  }
  return places;
}

function isFoldedAway(rows: readonly Row[], index: number, folded: ReadonlySet<string>): boolean {
  if (folded.size === 0) return false;
  let { depth } = rows[index]!;
  for (let above = index - 1; above >= 0 && depth > 0; above--) {
    const row = rows[above]!;
    if (row.depth >= depth) continue;
    ({ depth } = row);
    if (folded.has(row.comment.id)) return true;
  }
  return false;
}
