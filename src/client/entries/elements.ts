import { positionAt } from "../ui/arrivals/reader-activity.ts";
import type { ArrivalPosition } from "../ui/arrivals/arrival-queue.ts";
import type { AnchoredList } from "../ui/arrivals/scroll-anchor.tsx";
import { sectionId } from "./lazy-section.ts";

/** The element of the list, and where the list begins. */
export const [listId, headId] = ["entry-list", "entries-head"];

export const entryElementId = (id: string): string => `entry-${id}`;

const elementOf = (id: string): HTMLElement | null => document.getElementById(id);

export const anchoredList: AnchoredList = {
  list: () => elementOf(listId),
  section: () => elementOf(headId) ?? elementOf(sectionId),
  row: (id) => elementOf(entryElementId(id)),
  isRead: (top) => top < window.innerHeight / 2,
};

/**
 * Returns where entries that wait would appear: each above the next rendered one, in the order of the list. What is below the
 * window counts as passed, since the reader would not notice it. The first ones take the place of a note, and move nothing.
 */
export function positionsOfEntries(
  ids: readonly string[],
  order: readonly string[],
): Map<string, ArrivalPosition> {
  const waiting = new Set(ids);
  const places = new Map<string, ArrivalPosition>();
  const list = elementOf(listId);
  if (!list) return new Map(ids.map((id) => [id, "out of sight"]));
  let below = list.getBoundingClientRect().bottom;
  for (const id of order.toReversed()) {
    const top = waiting.has(id) ? undefined : elementOf(entryElementId(id))?.getBoundingClientRect().top;
    below = top ?? below;
    if (!waiting.has(id)) continue;
    const position = positionAt(below);
    places.set(id, position === "in view" ? position : "passed");
  }
  return places;
}

/** Scrolls to an entry and focuses it. Returns false if it is not rendered yet. */
export function showEntryElement(id: string): boolean {
  const element = elementOf(entryElementId(id));
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element?.scrollIntoView({ block: "start", behavior: isMotionReduced ? "instant" : "smooth" });
  element?.focus({ preventScroll: true });
  return element !== null;
}
