/** Characters that are indexed in some thirty milliseconds; of writing without spaces every three are a word. */
const quick = { spaced: 30_000, spaceless: 6_000 };

/** As much of a text as is indexed at once. */
export function firstOf(text: string): string {
  const first = text.slice(0, quick.spaced);
  return spaceless.test(first) ? first.slice(0, quick.spaceless) : first;
}

/** A word as it was typed, with ß as ss. `spaceless`: of a script that puts no spaces between words, so that it is looked for anywhere. */
export interface SearchWord {
  text: string;
  spaceless: boolean;
}

/** More words make a question slower, and no better. */
const most = 10;

/** Thai to Burmese, Khmer, Chinese and Japanese, Korean; migration 0001 indexes texts with these characters in pieces. */
const spaceless =
  /([\u0e00-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]+)/u;

/** Letters, digits and their marks; what stands between two of them without a space keeps them side by side: `1.0`, `node.js`, `don't`. */
const wordShape = /[\p{L}\p{N}\p{M}]+(?:[.'’_-][\p{L}\p{N}\p{M}]+)*/gu;
const between = /[.'’_-]+/g;

/** The words of what somebody typed: letters, digits and little else, so that nothing in them means anything to a search engine. */
export function searchWords(query: string): SearchWord[] {
  const words = (query.normalize("NFC").match(wordShape) ?? [])
    .flatMap((run) => run.split(spaceless))
    .map((text) => text.replace(/^[.'’_-]+|[.'’_-]+$/g, ""))
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => ({ text: text.replace(/ß/g, "ss").replace(/ẞ/g, "SS"), spaceless: spaceless.test(text) }));
  return [...new Map(words.map((word) => [fold(word.text), word])).values()].slice(0, most);
}

/** The parts of a word like `node.js`. */
export const partsOf = (text: string): string[] => text.split(between);

/** Two or three words written as one, as in `Node Js` or `node.js`; null where there is nothing to join. */
export function joinedWord(words: SearchWord[]): string | null {
  const parts = words.flatMap(({ text }) => partsOf(text));
  return parts.length > 1 && parts.length <= 3 && words.every((each) => !each.spaceless)
    ? parts.join("")
    : null;
}

// eslint-disable-next-line no-control-regex
const plain = /^[\u0000-\u007f]*$/;

/** Text as it is compared: no capitals, no accents, ß as ss. What the index does too, near enough to show what it found. */
export const fold = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/g, "")
        .normalize("NFC")
        .toLowerCase()
        .replace(/ß/g, "ss")
        .replace(/ς/g, "σ")
        .replace(/’/g, "'");

/** A text's folded form, and where each of its characters stands in the text. */
export interface Folded {
  text: string;
  at: (index: number) => number;
}

const foldedCharacters = new Map<string, string>();

/** As `fold`, character by character. */
export function foldWithPlaces(text: string): Folded {
  if (plain.test(text)) return { text: text.toLowerCase(), at: (index) => index };
  let folded = "";
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const piece = foldCharacter(character);
    for (let unit = 0; unit < piece.length; unit++) places.push(place);
    folded += piece;
    place += character.length;
  }
  return { text: folded, at: (index) => places[index] ?? text.length };
}

function foldCharacter(character: string): string {
  if (character < "\u0080") return character.toLowerCase();
  // Ideographs and Hangul have nothing to fold, and a text may have a different one at every place.
  const point = character.codePointAt(0) ?? 0;
  if ((point >= 0x3400 && point < 0xd800) || (point >= 0x20000 && point < 0x2f800)) return character;
  let folded = foldedCharacters.get(character);
  if (folded === undefined) {
    if (foldedCharacters.size > 20_000) foldedCharacters.clear();
    foldedCharacters.set(character, (folded = fold(character)));
  }
  return folded;
}

const ofWords = /[\p{L}\p{N}\p{M}]/u;

/** Whether a word goes on from before this place in the text to after it. */
export const isInsideWord = (text: string, index: number): boolean =>
  ofWords.test(characterBefore(text, index)) && ofWords.test(characterAfter(text, index));

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
