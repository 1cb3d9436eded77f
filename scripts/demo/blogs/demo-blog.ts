import type { Motif } from "../pictures.ts";

/** One blog of the demo town, as its author would have typed it. */
export interface DemoBlog {
  /** A username from `people.ts`. */
  author: string;
  /** Unique in the town: threads and live lines name their blog by it. */
  title: string;
  description: string;
  tags: string[];
  /** Markdown: headings from level 2, fences with `~~~`, tables, strikethrough; no images, no HTML. */
  body: string;
  /** Days before the town is built; fractions are hours. */
  daysAgo: number;
  /** The picture is `cover(motif, title)`. */
  cover?: { motif: Motif };
  draft?: boolean;
  private?: boolean;
}
