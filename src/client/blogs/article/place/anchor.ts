import type { ReadingPlace } from "../../../../shared/reading-place.ts";

/** A text's words as a number: FNV-1a of 32 bits, over them with single spaces. */
export function wordsOf(text: string): number {
  let hash = 0x811c9dc5;
  const words = text.replace(/\s+/g, " ").trim();
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash ^ words.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Where a place is in a text that may have been changed since: the block with the same words that is nearest to where it was; where
 * they were changed too, the block that stands there now, from its beginning. Undefined in a text without blocks.
 */
export function placeAmong(
  words: readonly number[],
  place: ReadingPlace,
): Pick<ReadingPlace, "block" | "part"> | undefined {
  const distance = (block: number): number => Math.abs(block - place.block);
  let found: number | undefined;
  for (const [block, one] of words.entries())
    if (one === place.words && (found === undefined || distance(block) < distance(found))) found = block;
  if (found !== undefined) return { block: found, part: place.part };
  return words.length > 0 ? { block: Math.min(place.block, words.length - 1), part: 0 } : undefined;
}
