import { fold, isAscii } from "../../../shared/fold.ts";

/** Indexed in about thirty milliseconds; without spaces every three characters are a word. */
const maxIndexedLength = { spaced: 30_000, spaceless: 6_000 };

export function firstIndexedPart(text: string): string {
  const first = text.slice(0, maxIndexedLength.spaced);
  return spaceless.test(first) ? first.slice(0, maxIndexedLength.spaceless) : first;
}

/** A folded word. `spaceless`: of a script without spaces; it matches anywhere. */
export interface SearchWord {
  text: string;
  spaceless: boolean;
}

/** More words make a search slower, and no better. */
const maxWords = 10;

/** Thai to Burmese, Khmer, Chinese and Japanese, Korean; the store indexes texts with these characters in pieces. */
export const spaceless =
  /([\u0e00-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]+)/u;

/** Letters, digits and their marks; joined by punctuation without spaces: `1.0`, `node.js`, `don't`. */
const wordShape = /[\p{L}\p{N}\p{M}]+(?:[.'’_-][\p{L}\p{N}\p{M}]+)*/gu;
const separators = /[.'’_-]+/g;

/** Returns a query's words, without operators of full-text search. */
export function searchWords(query: string): SearchWord[] {
  const words = (fold(query).match(wordShape) ?? [])
    .flatMap((run) => run.split(spaceless))
    .map((text) => text.replace(/^[.'’_-]+|[.'’_-]+$/g, ""))
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => ({ text, spaceless: spaceless.test(text) }));
  return [...new Map(words.map((word) => [word.text, word])).values()].slice(0, maxWords);
}

/** Splits a compound like `node.js`. */
export const partsOf = (text: string): string[] => text.split(separators);

/** Joins two or three words, as in `Node Js` or `node.js`; null when there is nothing to join. */
export function joinedWord(words: SearchWord[]): string | null {
  const parts = words.flatMap(({ text }) => partsOf(text));
  return parts.length > 1 && parts.length <= 3 && words.every((each) => !each.spaceless)
    ? parts.join("")
    : null;
}

/** A folded text; `at` maps its indexes to the original. */
export interface Folded {
  text: string;
  at: (index: number) => number;
}

/** A character is folded with the marks after it, as they can make another letter (й). */
const mark = /[\u0300-\u036f]/;
const withMarks = /[^][\u0300-\u036f]{0,3}/gu;
const foldedCharacters = new Map<string, string>();

/** As `fold`, with places. */
export function foldWithOffsets(text: string): Folded {
  if (isAscii(text)) return { text: text.toLowerCase(), at: (index) => index };
  let folded = "";
  const offsets: number[] = [];
  let offset = 0;
  for (const character of mark.test(text) ? (text.match(withMarks) ?? []) : text) {
    const piece = foldCharacter(character);
    for (let unit = 0; unit < piece.length; unit++) offsets.push(offset);
    folded += piece;
    offset += character.length;
  }
  return { text: folded, at: (index) => offsets[index] ?? text.length };
}

function foldCharacter(character: string): string {
  // Ideographs and Hangul need no folding, and would fill the cache.
  const point = character.codePointAt(0) ?? 0;
  if (character.length === 1 && point < 0x80) return character.toLowerCase();
  if ((point >= 0x3400 && point < 0xd800) || (point >= 0x20000 && point < 0x2f800)) return character;
  let folded = foldedCharacters.get(character);
  if (folded === undefined) {
    if (foldedCharacters.size > 20_000) foldedCharacters.clear();
    foldedCharacters.set(character, (folded = fold(character)));
  }
  return folded;
}

const wordCharacter = /[\p{L}\p{N}\p{M}]/u;

/** Whether a word continues across this index. */
export const isInsideWord = (text: string, index: number): boolean =>
  wordCharacter.test(characterBefore(text, index)) && wordCharacter.test(characterAfter(text, index));

function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xdc00 && unit < 0xe000
    ? text.slice(Math.max(0, index - 2), index)
    : text.slice(Math.max(0, index - 1), index);
}

function characterAfter(text: string, index: number): string {
  const point = text.codePointAt(index);
  return point === undefined ? "" : String.fromCodePoint(point);
}
