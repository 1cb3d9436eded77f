import type { Area } from "./seen.ts";

/** Between a menu and the line that it belongs to, and between it and the edges of what is seen. */
const gap = 6;
const edge = 8;
/** So much of a menu is enough of it below its line: it covers nothing that is written there. */
const enough = 176;

export interface Placed {
  side: "above" | "below";
  left: number;
  /** The edge that stays at the line, from the top of the window. */
  at: number;
  maxHeight: number;
}

/**
 * Where a menu of this size goes beside a line: below it, unless all of it fits above alone, or there is too little room below and
 * more above. Never over the line itself, nor beyond what is seen.
 */
export function placed(
  line: { top: number; bottom: number; left: number },
  { width, height }: { width: number; height: number },
  seen: Area,
): Placed {
  const below = seen.bottom - edge - (line.bottom + gap);
  const above = line.top - gap - (seen.top + edge);
  const isWholeAbove = below < height && height <= above;
  const side = !isWholeAbove && (below >= Math.min(height, enough) || below >= above) ? "below" : "above";
  return {
    side,
    left: Math.max(seen.left + edge, Math.min(line.left, seen.right - edge - width)),
    at: side === "below" ? line.bottom + gap : line.top - gap,
    maxHeight: Math.max(0, side === "below" ? below : above),
  };
}
