import type { CoverPoint } from "../../../shared/blogs.ts";

export const middle: CoverPoint = { x: 50, y: 50 };

const clampPercent = (value: number): number => Math.max(0, Math.min(100, Math.round(value)));

/** Returns a focus point in whole percent; null for the centre. */
export function focusAt(x: number, y: number): CoverPoint | null {
  const point = { x: clampPercent(x), y: clampPercent(y) };
  return point.x === middle.x && point.y === middle.y ? null : point;
}

const keySteps: ReadonlyMap<string, readonly [x: number, y: number]> = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);

/** Returns the point after a key press, 5 percent away or 1 (`isFine`); undefined for other keys. */
export function focusByKey(
  { x, y }: CoverPoint,
  key: string,
  isFine: boolean,
): CoverPoint | null | undefined {
  const [across, down] = keySteps.get(key) ?? [];
  if (across === undefined || down === undefined) return undefined;
  const step = isFine ? 1 : 5;
  return focusAt(x + across * step, y + down * step);
}

export const focusWords = ({ x, y }: CoverPoint): string => `Focus: ${x}% from the left, ${y}% from the top`;
