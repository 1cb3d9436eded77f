import { z } from "zod";
import { Id } from "./users.ts";

/** Of one person so many are kept, the newest. */
export const mostPlaces = 300;

/**
 * Where in a text somebody stopped reading: the block at the top level of its HTML, its words as a number (`wordsOf` in
 * client/blogs/article/place/anchor.ts), by which it is found again after the text was changed, and how far down in it, in hundredths.
 */
export const ReadingPlace = z.strictObject({
  block: z.number().int().min(0).max(1_000_000),
  words: z.number().int().min(0).max(0xffff_ffff),
  part: z.number().int().min(0).max(99),
});
export type ReadingPlace = z.output<typeof ReadingPlace>;

/** Null where it was read to its end, or is to be begun anew. */
export const KeepPlace = z.strictObject({ blogId: Id, place: ReadingPlace.nullable() });
