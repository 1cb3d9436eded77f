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
 * Where a comment would appear that is in the list and not drawn yet: above the next row that is drawn, in reading order. Null
 * where the list does not have it. A reply above the window moves nothing there (hold-still.tsx); a thread does not either, but
 * the reader would not learn of it.
 */
export function placeOfComment(
  id: string,
  rows: readonly Row[],
  { folded, start }: View,
  { topOf, end, placeAt }: ListView,
): Place | null {
  const index = rows.findIndex((row) => row.comment.id === id);
  const row = rows[index];
  if (!row) return null;
  if (isFoldedAway(rows, index, folded)) return "out of sight";
  const bottom = end();
  if (bottom === undefined) return "out of sight";
  const isThread = row.depth === 0;
  // The list is drawn from further down on.
  if (isThread && start) return "passed";
  let top: number | undefined;
  for (let next = index + 1; next < rows.length && top === undefined; next++)
    top = topOf(rows[next]!.comment.id);
  const place = placeAt(top ?? bottom);
  return place === "passed" && !isThread ? "out of sight" : place;
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
