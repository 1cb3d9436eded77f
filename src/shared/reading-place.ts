import { z } from "zod";
import { Id } from "./users.ts";

/** The newest places stored per person. */
export const maxReadingPlaces = 300;

/**
 * Where a person stopped reading: the top-level block; a hash of its words (`wordsOf` in client/blogs/article/place/find-place.ts),
 * to find it again after the text changed; and how far down in it, in hundredths.
 */
export const ReadingPlace = z.strictObject({
  block: z.number().int().min(0).max(1_000_000),
  words: z.number().int().min(0).max(0xffff_ffff),
  part: z.number().int().min(0).max(99),
});
export type ReadingPlace = z.output<typeof ReadingPlace>;

/** Null if read to its end, or to be read from the start. */
export const SetReadingPlace = z.strictObject({ blogId: Id, place: ReadingPlace.nullable() });
