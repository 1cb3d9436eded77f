import { z } from "zod";
import { Id } from "./users.ts";

/** The newest places stored per person. */
export const maxReadingPositions = 300;

/**
 * Where a person stopped reading: the top-level block; a hash of its words (`hashText` in client/blogs/article/place/scroll-place.ts),
 * to find it again after the text changed; and how far down in it, in hundredths.
 */
export const ReadingPosition = z.strictObject({
  block: z.number().int().min(0).max(1_000_000),
  words: z.number().int().min(0).max(0xffff_ffff),
  part: z.number().int().min(0).max(99),
});
export type ReadingPosition = z.output<typeof ReadingPosition>;

/** Null if read to its end, or to be read from the start. */
export const SetReadingPosition = z.strictObject({ blogId: Id, place: ReadingPosition.nullable() });
