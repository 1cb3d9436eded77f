import type { Place } from "../ui/arrivals/queue.ts";
import type { Row } from "./tree.ts";
import type { View } from "./view.ts";

/** The window with the list in it. Heights are undefined for what is not drawn. */
export interface ListView {
  topOf(id: string): number | undefined;
  /** Height of the list's end. */
  end(): number | undefined;
  placeAt(top: number): Place;
}

/**
 * Where comments would appear that are in the list and not drawn yet: each above the next row that is drawn, in reading order. A
 * reply above the window moves nothing there (hold-still.tsx); a thread does not either, but the reader would not learn of it.
 */
export function placesOfComments(
  ids: readonly string[],
  rows: readonly Row[],
  { folded, start }: View,
  { topOf, end, placeAt }: ListView,
): Map<string, Place> {
  const asked = new Set(ids);
  const places = new Map<string, Place>();
  const bottom = end();
  let below = bottom ?? 0;
  let looked = rows.length;
  // From the end, so that the height of what is drawn below is known, however many wait.
  for (let index = rows.length - 1; index >= 0; index--) {
    const { comment, depth } = rows[index]!;
    if (!asked.has(comment.id)) continue;
    let top: number | undefined;
    for (let next = index + 1; next < looked && top === undefined; next++)
      top = topOf(rows[next]!.comment.id);
    below = top ?? below;
    looked = index;
    const isThread = depth === 0;
    if (isFoldedAway(rows, index, folded) || bottom === undefined) places.set(comment.id, "out of sight");
    // The list is drawn from further down on.
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
