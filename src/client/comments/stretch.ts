import type { Item } from "./tree.ts";

/** As many rows as a page draws at once; of a longer list a stretch is drawn. */
export const mostRows = 200;

/** The first item that is drawn; its place in the list finds another where it is gone. */
export interface Start {
  id: string;
  index: number;
}

/** Which items are drawn: from the first number on, up to the second. */
export function stretchOf(items: readonly Item[], start: Start | null): [from: number, to: number] {
  const known = start ? items.findIndex(({ id }) => id === start.id) : 0;
  const from = Math.max(0, Math.min(known === -1 ? (start?.index ?? 0) : known, items.length - mostRows));
  return [from, Math.min(items.length, from + mostRows)];
}

/** Begins so far down, in items; null at the top. */
export function startAt(items: readonly Item[], index: number): Start | null {
  const item = items[index];
  return item && index > 0 ? { id: item.id, index } : null;
}

/** Where the stretch begins that has an item and what follows it; the same where it is drawn already. */
export function startWith(items: readonly Item[], start: Start | null, id: string): Start | null {
  const index = items.findIndex((item) => item.id === id);
  const [from, to] = stretchOf(items, start);
  const room = Math.min(mostRows / 4, items.length - index);
  return index === -1 || (index >= from && index + room <= to) ? start : startAt(items, index - mostRows / 2);
}

/** How many of these items are comments. */
export const commentsIn = (items: readonly Item[]): number => items.filter((item) => "row" in item).length;
