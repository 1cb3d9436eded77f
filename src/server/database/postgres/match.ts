import { isLexeme, quotedLexeme, wordsIn, type Weight } from "./vectors.ts";
import { pieceLength, type IndexQuery, type Match } from "../search/search-index.ts";

/* What a text must have, as queries of PostgreSQL's search index. */

/** Where a word is in a blog or a profile. */
export const weightOfField: Record<string, Weight> = {
  title: "A",
  username: "A",
  tags: "B",
  name: "B",
  description: "C",
  bio: "C",
};

/** Of a phrase: the rest of a longer one is not looked for. PostgreSQL calls itself for each part. */
const longest = { words: 100, characters: 600 };

type Vector = IndexQuery["index"];

/** A condition: the vector matches the query, a text for `tsquery`. */
interface Condition {
  vector: Vector;
  query: string;
}

/** Returns conditions that are all to be met, or undefined if nothing can meet them. */
export function conditionsOf({ index, fields, match }: IndexQuery): Condition[] | undefined {
  const conditions: Condition[] = [];
  for (const part of "all" in match ? match.all : [match]) {
    // Pieces do not show where a word ends: words do.
    const isWord = "short" in part && part.isWord;
    const vector = isWord ? "words" : index;
    const query = matchText(vector, isWord ? { text: part.short } : part, fields);
    if (query === undefined) return undefined;
    conditions.push({ vector, query });
  }
  const vectors = [...new Set(conditions.map(({ vector }) => vector))];
  return vectors.map((vector) => ({
    vector,
    query: conditions.flatMap((one) => (one.vector === vector ? [`(${one.query})`] : [])).join(" & "),
  }));
}

/** Returns the text for `tsquery` that one vector must match, or undefined if nothing can. */
export function matchText(vector: Vector, match: Match, fields?: readonly string[]): string | undefined {
  if ("short" in match) return lexeme(match.short, true, fields);
  if ("text" in match)
    return vector === "words" ? wordsNextToEachOther(match, fields) : piecesOf(match.text, fields);
  const isAll = "all" in match;
  const parts = (isAll ? match.all : match.any).map((part) => matchText(vector, part, fields));
  const usable = parts.flatMap((part) => (part === undefined ? [] : [`(${part})`]));
  return usable.length === 0 || (isAll && usable.length < parts.length)
    ? undefined
    : usable.join(isAll ? " & " : " | ");
}

/** A quoted lexeme contains no operator. */
const lexeme = (text: string, isBeginning: boolean, fields: readonly string[] = []): string => {
  const flags = (isBeginning ? "*" : "") + fields.map((field) => weightOfField[field]).join("");
  return quotedLexeme(text) + (flags && `:${flags}`);
};

function wordsNextToEachOther(
  { text, isBeginning = false }: { text: string; isBeginning?: boolean },
  fields?: readonly string[],
): string | undefined {
  const words = wordsIn(text).slice(0, longest.words);
  return words.length > 0 && words.every(isLexeme)
    ? words.map((word, at) => lexeme(word, isBeginning && at === words.length - 1, fields)).join(" <-> ")
    : undefined;
}

/** The text's pieces, one after another, and its last: these cover it. */
function piecesOf(text: string, fields?: readonly string[]): string | undefined {
  const characters = Array.from(text).slice(0, longest.characters);
  const last = characters.length - pieceLength;
  if (last < 0) return undefined;
  const starts: number[] = [];
  for (let at = 0; at < last; at += pieceLength) starts.push(at);
  starts.push(last);
  return starts
    .map((start, index) => {
      const piece = lexeme(characters.slice(start, start + pieceLength).join(""), false, fields);
      return index === 0 ? piece : `<${start - starts[index - 1]!}> ${piece}`;
    })
    .join(" ");
}
