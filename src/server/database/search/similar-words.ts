import { distance } from "fastest-levenshtein";
import { fold } from "../../../shared/fold.ts";
import type { SearchWord } from "./words.ts";
import { find } from "./full-text-search.ts";
import { expressionsOf } from "./expressions.ts";
import { searched, type IndexQuery, type Search, type SearchIndex } from "./search-index.ts";

/* Typing errors in a search that found nothing, for a reader thread (workers/reader.ts). */

/** Characters of a word. */
const lengths = { min: 4, max: 30 };
/** From this length two letters can be wrong. */
const long = 9;
/** Of one query. */
const maxWords = 5;
/** The newest texts that are read for each part of a word. */
const maxTexts = 200;

/**
 * Returns the query with similar words for those that find nothing, if that finds something; else undefined. All similar words
 * are from titles, tags, descriptions and names that the viewer can read.
 */
export async function similarQuery(index: SearchIndex, search: Search): Promise<string | undefined> {
  if (search.words.length > maxWords) return undefined;
  const words: SearchWord[] = [];
  for (const word of search.words) {
    const text = (await isFound(index, search, word)) ? word.text : await mostSimilar(index, search, word);
    if (text === undefined) return undefined;
    words.push({ ...word, text });
  }
  const { total } = await find(index, { ...search, words, limit: 1, offset: 0 });
  return total > 0 ? words.map(({ text }) => text).join(" ") : undefined;
}

async function isFound(index: SearchIndex, search: Search, word: SearchWord): Promise<boolean> {
  const { words, pieces } = expressionsOf({ kind: search.kind, words: [word] });
  for (const { query } of [...words, ...pieces])
    if ((await index.newestReadable(search, query, { count: 1 })).length > 0) return true;
  return false;
}

/** Returns the readable word with the fewest differences, of these the most frequent. */
async function mostSimilar(
  index: SearchIndex,
  search: Search,
  { text: word, spaceless }: SearchWord,
): Promise<string | undefined> {
  const { length } = word;
  if (spaceless || length < lengths.min || length > lengths.max || !/^[\p{L}\p{M}]+$/u.test(word))
    return undefined;
  const most = length < long ? 1 : 2;
  const swapped = new Set(
    Array.from(
      word.slice(1),
      (_letter, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
    ),
  );
  // Two swapped letters are one error.
  const differences = (other: string): number => {
    const without = distance(word, other);
    return without > most + 1
      ? without
      : Math.min(without, ...[...swapped].map((one) => 1 + distance(one, other)));
  };
  const counts = new Map<string, number>();
  for (const text of await similarTexts(index, search, word, most, swapped))
    for (const other of text.match(/[\p{L}\p{M}]+/gu) ?? [])
      if (Math.abs(other.length - length) <= most && (counts.has(other) || differences(other) <= most))
        counts.set(other, (counts.get(other) ?? 0) + 1);
  const [best] = [...counts].sort(
    ([a, countA], [b, countB]) => differences(a) - differences(b) || countB - countA || (a > b ? 1 : -1),
  );
  return best?.[0];
}

/** Cuts a word into one part more than it can have errors, so that one part is right. */
function cutWord(word: string, errors: number): string[] {
  const size = Math.max(3, Math.floor(word.length / (errors + 1)));
  const starts = Array.from({ length: errors + 1 }, (_, part) => part * size);
  return starts.map((start, part) =>
    part === errors ? word.slice(Math.min(start, word.length - 3)) : word.slice(start, start + size),
  );
}

/** Returns the folded short texts with a part of the word, or with one of the other words. */
async function similarTexts(
  index: SearchIndex,
  search: Search,
  word: string,
  errors: number,
  others: Set<string>,
): Promise<string[]> {
  const fields = Object.keys(searched[search.kind].weights);
  // The middle letter of a word of five is in both its parts of three: with an error there, only its beginning finds it.
  const alternatives = [
    ...[...others].map((text) => ({ text })),
    ...(word.length < 6 ? [{ text: word.slice(0, 2), isBeginning: true }] : []),
  ];
  const queries: IndexQuery[] = [
    // One at a time, so that a frequent part does not displace a rare one.
    ...cutWord(word, errors).map((text) => ({ index: "pieces" as const, fields, match: { text } })),
    { index: "words", fields, match: { any: alternatives } },
  ];
  const numbers = new Set<number>();
  for (const query of queries) {
    const rows = await index.newestReadable(search, query, { count: maxTexts, entries: false });
    for (const { seq } of rows) numbers.add(seq);
  }
  const rows = await index.rankedTexts(search.kind, [...numbers]);
  return rows.map((row) => fold(Object.values(row).join(" ")));
}
