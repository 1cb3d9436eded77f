import { fold } from "./fold.ts";

/** What is searched for muted words. */
interface SearchedText {
  texts: readonly string[];
  tags?: readonly string[];
}

/** From Thai to Burmese, Khmer, Chinese and Japanese, Korean: no spaces between words, so a word matches anywhere. */
const spaceless = /[\u0e00-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af]/u;
const matchesNothing = (): boolean => false;

/**
 * Returns a filter for these words: whole words, ignoring case and accents; `#night` matches a tag. The server filters lists
 * with it, the page collapses comments.
 */
export function createMuteFilter(words: readonly string[]): (text: SearchedText) => boolean {
  if (words.length === 0) return matchesNothing;
  const tags = new Set(words.flatMap((word) => (word.startsWith("#") ? [fold(word.slice(1))] : [])));
  const patterns = words
    // A word of signs that are folded away would be in every text.
    .filter((word) => !word.startsWith("#") && fold(word) !== "")
    .map((word) => {
      const quoted = fold(word).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
      return spaceless.test(word) ? quoted : `(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`;
    });
  const pattern = patterns.length > 0 ? new RegExp(patterns.join("|"), "u") : undefined;
  return ({ texts, tags: textTags = [] }) =>
    textTags.some((tag) => tags.has(fold(tag)) || pattern?.test(fold(tag))) ||
    texts.some((text) => pattern?.test(fold(text)) ?? false);
}
