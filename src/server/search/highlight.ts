import type { TextPart } from "../../shared/search.ts";
import {
  fold,
  foldWithOffsets,
  isInsideWord,
  joinedWord,
  partsOf,
  type Folded,
  type SearchWord,
} from "./words.ts";

interface Term {
  text: string;
  /** Matches anywhere, not only at the beginning of a word. */
  anywhere: boolean;
  /** Still being typed: matches the beginning of a longer word. */
  prefix: boolean;
}

interface Hit {
  from: number;
  to: number;
  term: number;
}

export interface Highlighter {
  whole: (text: string) => TextPart[];
  /** About `length` characters around the words; `otherwise` when there are none. */
  snippet: (text: string, otherwise: string) => TextPart[];
}

const length = 200;
const lead = 60;
/** Bounds per word: a text may match at every character. */
const mostTried = 1_000;
const mostHits = 100;
/** For words like `a.b.c`. */
const mostParts = 5;
/** Combining marks beyond the end of a snippet. */
const mostMarks = 20;

export const plain = (text: string): TextPart[] => (text ? [{ text, hit: false }] : []);

/** Marks the words of a search in its results. */
export function highlighter(words: SearchWord[]): Highlighter {
  const inPieces = words.some((word) => word.spaceless);
  const joined = joinedWord(words);
  const terms: Term[] = words.map((word, index) => ({
    text: fold(word.text),
    anywhere: inPieces,
    prefix: index === words.length - 1,
  }));
  if (joined) terms.push({ text: fold(joined), anywhere: false, prefix: true });
  return {
    whole: (text) => {
      const hits = findHits(text, terms);
      return asParts(text, hits.length > 0 ? hits : findHits(text, partsOfWords(terms)), 0, text.length);
    },
    snippet: (text, otherwise) => {
      const hits = findHits(text, terms);
      return hits.length > 0 ? snippetOf(text, hits) : plain(otherwise);
    },
  };
}

const partsOfWords = (terms: Term[]): Term[] =>
  terms.filter(({ text }) => text.length > 2).map((term) => ({ ...term, anywhere: true }));

function findHits(text: string, terms: Term[]): Hit[] {
  const folded = foldWithOffsets(text);
  const hits = terms.flatMap((term, index) =>
    rangesOfTerm(folded, term).map(([from, to]) => ({
      from: folded.at(from),
      to: folded.at(to),
      term: index,
    })),
  );
  return hits.filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from || b.to - a.to);
}

/** `node.js` also finds `node-js`: then its parts are marked. */
function rangesOfTerm(folded: Folded, term: Term): [number, number][] {
  const places = rangesOf(folded, term);
  const parts = partsOf(term.text).filter((part) => part.length > 1);
  if (places.length > 0 || parts[0] === term.text) return places;
  return parts.slice(0, mostParts).flatMap((text) => rangesOf(folded, { ...term, text }));
}

function rangesOf({ text }: Folded, term: Term): [number, number][] {
  const places: [number, number][] = [];
  let at = text.indexOf(term.text);
  for (
    let tried = 0;
    at !== -1 && tried < mostTried && places.length < mostHits;
    tried++, at = text.indexOf(term.text, at + term.text.length)
  ) {
    const end = at + term.text.length;
    if (term.anywhere || (!isInsideWord(text, at) && (term.prefix || !isInsideWord(text, end))))
      places.push([at, end]);
  }
  return places;
}

/** Returns the part with the most different words, or the first of these. */
function snippetOf(text: string, hits: Hit[]): TextPart[] {
  let best = hits[0];
  let most = 0;
  let next = 0;
  const within = new Map<number, number>();
  for (const [index, hit] of hits.entries()) {
    next = Math.max(next, index);
    for (let other = hits[next]; other && other.to <= hit.from + length - lead; other = hits[++next])
      within.set(other.term, (within.get(other.term) ?? 0) + 1);
    if (within.size > most) {
      most = within.size;
      best = hit;
    }
    // A hit longer than a snippet was never counted.
    if (next === index) continue;
    const left = (within.get(hit.term) ?? 0) - 1;
    if (left > 0) within.set(hit.term, left);
    else within.delete(hit.term);
  }
  if (!best) return plain(text.slice(0, wholeCharacter(text, length)));
  const from = startBefore(text, best.from);
  const to = endAfter(text, Math.min(best.to, from + length), from + length);
  return [
    ...(from > 0 ? plain("…") : []),
    ...asParts(text, hits, from, to),
    ...(to < text.length ? plain("…") : []),
  ].map((part) => ({ ...part, text: part.text.replace(/\s+/g, " ") }));
}

/** Returns where a snippet begins: at a word, if the script has spaces. */
function startBefore(text: string, hit: number): number {
  const from = Math.max(0, hit - lead);
  if (from === 0) return 0;
  const space = /\s+/.exec(text.slice(from, hit));
  return space ? from + space.index + space[0].length : wholeCharacter(text, from);
}

function endAfter(text: string, hit: number, to: number): number {
  if (to >= text.length) return text.length;
  const space = text.slice(hit, to + 1).search(/\s+\S*$/);
  return space >= 0 ? hit + space : wholeCharacter(text, Math.max(to, hit));
}

/** Returns the next index that splits no character. */
function wholeCharacter(text: string, index: number): number {
  let at = index;
  while (
    at < text.length &&
    at < index + mostMarks &&
    /^[\udc00-\udfff\p{M}\u200d]/u.test(text.slice(at, at + 1))
  )
    at++;
  return at;
}

function asParts(text: string, hits: Hit[], start: number, end: number): TextPart[] {
  const parts: TextPart[] = [];
  let at = start;
  for (const hit of hits) {
    const from = Math.max(hit.from, at);
    const to = Math.min(hit.to, end);
    if (from >= to) continue;
    if (from > at) parts.push({ text: text.slice(at, from), hit: false });
    const last = parts.at(-1);
    if (last?.hit) last.text += text.slice(from, to);
    else parts.push({ text: text.slice(from, to), hit: true });
    at = to;
  }
  if (at < end) parts.push({ text: text.slice(at, end), hit: false });
  return parts;
}
