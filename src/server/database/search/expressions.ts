import { pieceLength, searched, type IndexQuery, type Match, type Search } from "./search-index.ts";
import { joinedWord, partsOf, type SearchWord } from "./words.ts";

/** Whether a folded text contains a term. */
type Term = (text: string) => boolean;

/** A query of an index, and the terms that rank its matches. */
export interface Expression {
  query: IndexQuery;
  terms: Term[];
}

/**
 * Builds the queries for words and pieces, in the order of trying. A store reads all entries of each word with a prefix: so the last word
 * is first tried as a whole.
 */
export function expressionsOf({ kind, words }: Pick<Search, "kind" | "words">): {
  words: Expression[];
  pieces: Expression[];
} {
  if (words.length === 0) return { words: [], pieces: [] };
  const terms = words.map(termAnywhere);
  if (words.some((word) => word.spaceless))
    return { words: [], pieces: [{ query: { index: "pieces", match: { all: words.map(pieceOf) } }, terms }] };
  const pieces: IndexQuery = {
    index: "pieces",
    fields: searched[kind].partsIn,
    match: { all: words.map(({ text }) => ({ text })) },
  };
  return {
    words:
      (words.at(-1)?.text.length ?? 0) > 1
        ? [asWords(words, false), asWords(words, true)]
        : [asWords(words, false)],
    pieces: words.every(({ text }) => [...text].length >= pieceLength) ? [{ query: pieces, terms }] : [],
  };
}

function asWords(words: SearchWord[], isBeginning: boolean): Expression {
  const isLast = (index: number) => isBeginning && index === words.length - 1;
  const all: Match = { all: words.map(({ text }, index) => ({ text, isBeginning: isLast(index) })) };
  const terms = words.map(({ text }, index) => asWord(text, isLast(index)));
  const joined = joinedWord(words);
  return joined
    ? {
        query: { index: "words", match: { any: [all, { text: joined, isBeginning }] } },
        terms: [...terms, asWord(joined, isBeginning)],
      }
    : { query: { index: "words", match: all }, terms };
}

/** `AI` must be a word of its own also before Chinese, where no space ends it. */
const pieceOf = ({ text, spaceless }: SearchWord): Match =>
  [...text].length < pieceLength ? { short: text, isWord: !spaceless } : { text };

const termAnywhere =
  ({ text }: Pick<SearchWord, "text">): Term =>
  (content) =>
    content.includes(text);

/** Matches a word or its beginning; any punctuation may separate the parts of a compound like `node.js`. */
function asWord(text: string, isBeginning: boolean): Term {
  const parts = partsOf(text).map((part) => part.replace(/[^\p{L}\p{N}\p{M}]/gu, ""));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}\\p{M}])${parts.join("[^\\p{L}\\p{N}\\p{M}]*")}${isBeginning ? "" : "(?![\\p{L}\\p{N}\\p{M}])"}`,
    "u",
  );
  return (content) => content.includes(parts[0] ?? "") && pattern.test(content);
}
