import type { Area } from "./visible-area.ts";

/** Pixels between menu and line, and to the edges of the visible area. */
const gap = 6;
const edge = 8;
/** Pixels of height that suffice below the line, where the menu covers no text. */
const enoughHeight = 176;

export interface Placement {
  side: "above" | "below";
  left: number;
  /** The edge at the line, from the top of the window. */
  at: number;
  maxHeight: number;
}

/**
 * Places a menu below its line, unless it fits only above, or below is too little room and above is more. It never covers the
 * line or leaves the visible area.
 */
export function placeMenu(
  line: { top: number; bottom: number; left: number },
  { width, height }: { width: number; height: number },
  visible: Area,
): Placement {
  const below = visible.bottom - edge - (line.bottom + gap);
  const above = line.top - gap - (visible.top + edge);
  const isWholeAbove = below < height && height <= above;
  const side =
    !isWholeAbove && (below >= Math.min(height, enoughHeight) || below >= above) ? "below" : "above";
  return {
    side,
    left: Math.max(visible.left + edge, Math.min(line.left, visible.right - edge - width)),
    at: side === "below" ? line.bottom + gap : line.top - gap,
    maxHeight: Math.max(0, side === "below" ? below : above),
  };
}
