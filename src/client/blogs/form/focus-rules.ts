import type { CoverPoint } from "../../../shared/blogs.ts";

export const middle: CoverPoint = { x: 50, y: 50 };

const within = (value: number): number => Math.max(0, Math.min(100, Math.round(value)));

/** A point of the picture; null where it is its middle, which is kept as nothing. */
export function focusAt(x: number, y: number): CoverPoint | null {
  const point = { x: within(x), y: within(y) };
  return point.x === middle.x && point.y === middle.y ? null : point;
}

const ways: ReadonlyMap<string, readonly [x: number, y: number]> = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);

/** Where a key leads, in steps of five percent, or of one (`isFine`); undefined: it leads nowhere. */
export function focusByKey(
  { x, y }: CoverPoint,
  key: string,
  isFine: boolean,
): CoverPoint | null | undefined {
  const [across, down] = ways.get(key) ?? [];
  if (across === undefined || down === undefined) return undefined;
  const step = isFine ? 1 : 5;
  return focusAt(x + across * step, y + down * step);
}

export const focusWords = ({ x, y }: CoverPoint): string => `Focus: ${x}% from the left, ${y}% from the top`;
