/** What is looked through for muted words. */
interface Said {
  texts: readonly string[];
  tags?: readonly string[];
}

const fold = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();

/** Thai to Burmese, Khmer, Chinese and Japanese, Korean put no spaces between words: there a word is looked for anywhere. */
const spaceless = /[\u0e00-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af]/u;
const never = (): boolean => false;

/**
 * Whether something says one of these words, as a word of its own and whatever its capitals and accents; `#night` is a tag. The
 * server leaves out of lists by it, and the page folds comments away.
 */
export function muting(words: readonly string[]): (said: Said) => boolean {
  if (words.length === 0) return never;
  const tags = new Set(words.flatMap((word) => (word.startsWith("#") ? [fold(word.slice(1))] : [])));
  const patterns = words
    .filter((word) => !word.startsWith("#"))
    .map((word) => {
      const quoted = fold(word).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
      return spaceless.test(word) ? quoted : `(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`;
    });
  const pattern = patterns.length > 0 ? new RegExp(patterns.join("|"), "u") : undefined;
  return ({ texts, tags: given = [] }) =>
    given.some((tag) => tags.has(fold(tag)) || pattern?.test(fold(tag))) ||
    texts.some((text) => pattern?.test(fold(text)) ?? false);
}
