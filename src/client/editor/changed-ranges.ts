import type { Transaction } from "prosemirror-state";

/** Returns the ranges that transactions changed, by their positions after the last of them. */
export function changedRanges(transactions: readonly Transaction[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const [at, { mapping, docChanged }] of transactions.entries()) {
    if (!docChanged) continue;
    for (const [step, map] of mapping.maps.entries()) {
      const later = [mapping.slice(step + 1), ...transactions.slice(at + 1).map((one) => one.mapping)];
      const now = (pos: number, side: number) => later.reduce((place, one) => one.map(place, side), pos);
      map.forEach((_from, _to, from, to) => ranges.push({ from: now(from, -1), to: now(to, 1) }));
    }
  }
  return ranges;
}
