import type { ReadingPosition } from "../../../../shared/reading-position.ts";

/** Returns the 32-bit FNV-1a hash of a text, with white space collapsed. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  const normalized = text.replace(/\s+/g, " ").trim();
  for (let at = 0; at < normalized.length; at++)
    hash = Math.imul(hash ^ normalized.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Finds a reading position in a changed text: the nearest block with the same words, otherwise the start of the block at the same
 * index. Undefined without blocks.
 */
export function findPlace(
  hashes: readonly number[],
  place: ReadingPosition,
): Pick<ReadingPosition, "block" | "part"> | undefined {
  const distance = (block: number): number => Math.abs(block - place.block);
  let found: number | undefined;
  for (const [block, one] of hashes.entries())
    if (one === place.words && (found === undefined || distance(block) < distance(found))) found = block;
  if (found !== undefined) return { block: found, part: place.part };
  return hashes.length > 0 ? { block: Math.min(place.block, hashes.length - 1), part: 0 } : undefined;
}
