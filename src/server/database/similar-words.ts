import type Sqlite from "better-sqlite3";
import { distance } from "fastest-levenshtein";
import { fold } from "../../shared/fold.ts";
import type { SearchWord } from "./words.ts";
import { expressionsOf, find, newestReadable, searched, texts, type Search } from "./full-text-search.ts";
import { quoted } from "./full-text.ts";
import { rowStatement } from "./statements.ts";

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
export function similarQuery(sqlite: Sqlite.Database, search: Search): string | undefined {
  if (search.words.length > maxWords) return undefined;
  const words: SearchWord[] = [];
  for (const word of search.words) {
    const text = isFound(sqlite, search, word) ? word.text : mostSimilar(sqlite, search, word);
    if (text === undefined) return undefined;
    words.push({ ...word, text });
  }
  const findsSomething = find(sqlite, { ...search, words, limit: 1, offset: 0 }).total > 0;
  return findsSomething ? words.map(({ text }) => text).join(" ") : undefined;
}

function isFound(sqlite: Sqlite.Database, search: Search, word: SearchWord): boolean {
  const { words, pieces } = expressionsOf(sqlite, { kind: search.kind, words: [word] });
  const { words: wordTable, pieces: pieceTable } = searched[search.kind];
  const has = (table: string) => (expression: { match: string }) =>
    newestReadable(sqlite, search, table, expression.match, { count: 1 }).length > 0;
  return words.some(has(wordTable)) || pieces.some(has(pieceTable));
}

/** Returns the readable word with the fewest differences, of these the most frequent. */
function mostSimilar(
  sqlite: Sqlite.Database,
  search: Search,
  { text: word, spaceless }: SearchWord,
): string | undefined {
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
  for (const text of similarTexts(sqlite, search, word, most, swapped))
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
function similarTexts(
  sqlite: Sqlite.Database,
  search: Search,
  word: string,
  errors: number,
  others: Set<string>,
): string[] {
  const { words, pieces, weights } = searched[search.kind];
  const columns = `{${Object.keys(weights).join(" ")}} : `;
  // The middle letter of a word of five is in both its parts of three: with an error there, only its beginning finds it.
  const alternatives = [
    ...[...others].map(quoted),
    ...(word.length < 6 ? [`${quoted(word.slice(0, 2))}*`] : []),
  ];
  const newest = (table: string, match: string) =>
    newestReadable(sqlite, search, table, columns + match, { count: maxTexts, entries: false });
  const rows = [
    // One at a time, so that a frequent part does not displace a rare one.
    ...cutWord(word, errors).map((part) => newest(pieces, quoted(part))),
    newest(words, `(${alternatives.join(" OR ")})`),
  ];
  const numbers = JSON.stringify([...new Set(rows.flat().map(({ seq }) => seq))]);
  return rowStatement<[string], Record<string, unknown>>(sqlite, texts[search.kind])
    .all(numbers)
    .map((row) => fold(Object.values(row).join(" ")));
}
