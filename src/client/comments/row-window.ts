import type { Item } from "./tree.ts";

/** The most rows rendered at once. */
export const maxRows = 200;

/** The first rendered item; `index` is the fallback if it is gone. */
export interface WindowStart {
  id: string;
  index: number;
}

/** Returns the indices of the rendered items, `to` exclusive. */
export function rowWindow(items: readonly Item[], start: WindowStart | null): [from: number, to: number] {
  const startIndex = start ? items.findIndex(({ id }) => id === start.id) : 0;
  const from = Math.max(
    0,
    Math.min(startIndex === -1 ? (start?.index ?? 0) : startIndex, items.length - maxRows),
  );
  return [from, Math.min(items.length, from + maxRows)];
}

/** Starts at an item index; null at the top. */
export function startAt(items: readonly Item[], index: number): WindowStart | null {
  const item = items[index];
  return item && index > 0 ? { id: item.id, index } : null;
}

/** Returns a start that renders an item and what follows; the same if it does already. */
export function startIncluding(
  items: readonly Item[],
  start: WindowStart | null,
  id: string,
): WindowStart | null {
  const index = items.findIndex((item) => item.id === id);
  const [from, to] = rowWindow(items, start);
  const room = Math.min(maxRows / 4, items.length - index);
  return index === -1 || (index >= from && index + room <= to) ? start : startAt(items, index - maxRows / 2);
}

export const countCommentItems = (items: readonly Item[]): number =>
  items.filter((item) => "row" in item).length;
