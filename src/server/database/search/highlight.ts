import type { TextPart } from "../../../shared/search.ts";
import { foldWithOffsets, isInsideWord, joinedWord, partsOf, type Folded, type SearchWord } from "./words.ts";

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
const leadLength = 60;
/** Bounds per word: a text may match at every character. */
const maxTried = 1_000;
const maxHits = 100;
/** For words like `a.b.c`. */
const maxParts = 5;
/** Combining marks beyond the end of a snippet. */
const maxMarks = 20;

export const unmarked = (text: string): TextPart[] => (text ? [{ text, hit: false }] : []);

/** Marks the words of a search in its results. */
export function highlighter(words: SearchWord[]): Highlighter {
  const isSpaceless = words.some((word) => word.spaceless);
  const joined = joinedWord(words);
  const terms: Term[] = words.map((word, index) => ({
    text: word.text,
    anywhere: isSpaceless,
    prefix: index === words.length - 1,
  }));
  if (joined) terms.push({ text: joined, anywhere: false, prefix: true });
  return {
    whole: (text) => {
      const hits = findHits(text, terms);
      return markHits(text, hits.length > 0 ? hits : findHits(text, partsOfWords(terms)), 0, text.length);
    },
    snippet: (text, otherwise) => {
      const hits = findHits(text, terms);
      return hits.length > 0 ? snippetOf(text, hits) : unmarked(otherwise);
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
  const ranges = rangesOf(folded, term);
  const parts = partsOf(term.text).filter((part) => part.length > 1);
  if (ranges.length > 0 || parts[0] === term.text) return ranges;
  return parts.slice(0, maxParts).flatMap((text) => rangesOf(folded, { ...term, text }));
}

function rangesOf({ text }: Folded, term: Term): [number, number][] {
  const ranges: [number, number][] = [];
  let start = text.indexOf(term.text);
  for (
    let attempts = 0;
    start !== -1 && attempts < maxTried && ranges.length < maxHits;
    attempts++, start = text.indexOf(term.text, start + term.text.length)
  ) {
    const end = start + term.text.length;
    if (term.anywhere || (!isInsideWord(text, start) && (term.prefix || !isInsideWord(text, end))))
      ranges.push([start, end]);
  }
  return ranges;
}

/** Returns the part with the most different words, or the first of these. */
function snippetOf(text: string, hits: Hit[]): TextPart[] {
  let best = hits[0];
  let mostTerms = 0;
  let next = 0;
  const termCounts = new Map<number, number>();
  for (const [index, hit] of hits.entries()) {
    next = Math.max(next, index);
    for (let other = hits[next]; other && other.to <= hit.from + length - leadLength; other = hits[++next])
      termCounts.set(other.term, (termCounts.get(other.term) ?? 0) + 1);
    if (termCounts.size > mostTerms) {
      mostTerms = termCounts.size;
      best = hit;
    }
    // A hit longer than a snippet was never counted.
    if (next === index) continue;
    const remaining = (termCounts.get(hit.term) ?? 0) - 1;
    if (remaining > 0) termCounts.set(hit.term, remaining);
    else termCounts.delete(hit.term);
  }
  if (!best) return unmarked(text.slice(0, wholeCharacter(text, length)));
  const from = startBefore(text, best.from);
  const to = endAfter(text, Math.min(best.to, from + length), from + length);
  return [
    ...(from > 0 ? unmarked("…") : []),
    ...markHits(text, hits, from, to),
    ...(to < text.length ? unmarked("…") : []),
  ].map((part) => ({ ...part, text: part.text.replace(/\s+/g, " ") }));
}

/** Returns where a snippet begins: at a word, if the script has spaces. */
function startBefore(text: string, hit: number): number {
  const from = Math.max(0, hit - leadLength);
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
  let position = index;
  while (
    position < text.length &&
    position < index + maxMarks &&
    /^[\udc00-\udfff\p{M}\u200d]/u.test(text.slice(position, position + 1))
  )
    position++;
  return position;
}

function markHits(text: string, hits: Hit[], start: number, end: number): TextPart[] {
  const parts: TextPart[] = [];
  let position = start;
  for (const hit of hits) {
    const from = Math.max(hit.from, position);
    const to = Math.min(hit.to, end);
    if (from >= to) continue;
    if (from > position) parts.push({ text: text.slice(position, from), hit: false });
    const last = parts.at(-1);
    if (last?.hit) last.text += text.slice(from, to);
    else parts.push({ text: text.slice(from, to), hit: true });
    position = to;
  }
  if (position < end) parts.push({ text: text.slice(position, end), hit: false });
  return parts;
}
