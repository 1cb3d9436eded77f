/** A language's outer and inner quotation marks, with their spaces. */
interface QuotationMarks {
  outer: readonly [open: string, close: string];
  inner: readonly [open: string, close: string];
}

const low: QuotationMarks = { outer: ["„", "“"], inner: ["‚", "‘"] };
const high: QuotationMarks = { outer: ["“", "”"], inner: ["‘", "’"] };
const polish: QuotationMarks = { outer: ["„", "”"], inner: ["‚", "’"] };
const angled: QuotationMarks = { outer: ["«", "»"], inner: ["“", "”"] };
const same: QuotationMarks = { outer: ["”", "”"], inner: ["’", "’"] };
const spaced: QuotationMarks = { outer: ["«\u202f", "\u202f»"], inner: ["‹\u202f", "\u202f›"] };

const byLanguage: Record<string, QuotationMarks> = {
  bg: low,
  cs: low,
  da: { outer: ["»", "«"], inner: ["›", "‹"] },
  de: low,
  "de-CH": { outer: ["«", "»"], inner: ["‹", "›"] },
  el: angled,
  es: angled,
  et: { outer: ["„", "“"], inner: ["‚", "‘"] },
  fi: same,
  fr: spaced,
  "fr-CH": { outer: ["«", "»"], inner: ["‹", "›"] },
  hr: polish,
  hu: { outer: ["„", "”"], inner: ["»", "«"] },
  is: low,
  it: angled,
  lt: low,
  nb: { outer: ["«", "»"], inner: ["‘", "’"] },
  nn: { outer: ["«", "»"], inner: ["‘", "’"] },
  pl: polish,
  pt: angled,
  "pt-BR": high,
  ro: { outer: ["„", "”"], inner: ["«", "»"] },
  ru: { outer: ["«", "»"], inner: ["„", "“"] },
  sk: low,
  sl: low,
  sr: polish,
  sv: same,
  uk: { outer: ["«", "»"], inner: ["„", "“"] },
};

/** Languages with an em dash between spaced words, not an en dash. */
const longDash = new Set(["be", "bg", "es", "it", "ru", "uk"]);
/** Typed quotation marks stay: these languages have none, or others. */
const withoutQuotationMarks = new Set(["ar", "fa", "he", "hi", "ja", "ko", "th", "ur", "zh"]);

const baseOf = (language: string): string => language.split("-", 1)[0]!.toLowerCase();
const marksOf = (language: string): QuotationMarks =>
  byLanguage[language] ?? byLanguage[baseOf(language)] ?? high;

/** Replaces the last `drop` characters before the caret and the typed one. */
export interface Replacement {
  drop: number;
  text: string;
}

/**
 * Returns what a typed character becomes after this text of its block; null if it stays. Web addresses and code stay as typed,
 * even before the code's end.
 */
export function typeset(before: string, typed: string, language: string): Replacement | null {
  if (isWithinCode(before) || isWithinAddress(before)) return null;
  if (typed === '"' || typed === "'")
    return withoutQuotationMarks.has(baseOf(language))
      ? null
      : { drop: 0, text: quote(before, typed, marksOf(language)) };
  const elided = typed === "'" ? null : elision(before, typed);
  if (elided && marksOf(language).inner[0] === "‘") return elided;
  if (typed === ".") return /(?:^|[^./\\])\.\.$/.test(before) ? { drop: 2, text: "…" } : null;
  // After a word or between spaces: `--all` is a program's option, a line of dashes a rule.
  if (typed === "-") return /[^\s-]--$/.test(before) ? { drop: 2, text: "—" } : null;
  if (typed === " " && before.endsWith(" --"))
    return { drop: 2, text: longDash.has(baseOf(language)) ? "— " : "– " };
  if (/[\p{L}\p{N}]/u.test(typed) && /[\p{L}\p{N}]--$/u.test(before))
    return { drop: 2, text: `${baseOf(language) === "en" ? "—" : "–"}${typed}` };
  if (baseOf(language) === "fr" && language !== "fr-CH" && /[^\s] $/.test(before) && /[;:!?»]/.test(typed))
    return { drop: 1, text: `${typed === ":" ? "\u00a0" : "\u202f"}${typed}` };
  return null;
}

/** Characters that decide about the next one, so that long paragraphs stay fast. */
export const lookBehindLength = 500;

/** Returns a text as if it were typed after `before`, which stays. */
export function typesetText(text: string, language: string, before = ""): string {
  const done: string[] = [];
  let tail = before.slice(-lookBehindLength);
  /** The part of `tail` that stays. */
  let fixed = tail.length;
  for (const typed of text) {
    const near = tail.slice(-lookBehindLength);
    const replaced = mayChange.test(typed) || /--$|‘/.test(near) ? typeset(near, typed, language) : null;
    tail =
      replaced && tail.length - replaced.drop >= fixed
        ? tail.slice(0, tail.length - replaced.drop) + replaced.text
        : tail + typed;
    if (tail.length < 4 * lookBehindLength) continue;
    const cut = tail.length - lookBehindLength;
    done.push(tail.slice(fixed, cut));
    tail = tail.slice(cut);
    fixed = 0;
  }
  return done.join("") + tail.slice(fixed);
}

/** Characters that may change whatever precedes them. Any other changes only what two dashes or an opening mark precede. */
const mayChange = /["'.;:!?»-]/;

/** `’90s`, `’tis` and `rock ’n’ roll`: the opening mark was an apostrophe. */
function elision(before: string, typed: string): Replacement | null {
  if (/\p{N}/u.test(typed) && /(?:^|\s)‘$/.test(before)) return { drop: 1, text: `’${typed}` };
  const word = /[\s.,;!?]/.test(typed) && /(?:^|\s)‘((?:tis|twas|em|til|cause)|n[‘’])$/i.exec(before)?.[1];
  return word ? { drop: word.length + 1, text: `’${word.replace(/‘$/, "’")}${typed}` } : null;
}

function quote(before: string, typed: string, { outer, inner }: QuotationMarks): string {
  // Markdown delimiters can be in between.
  const isOpening =
    /(?:^|[\s([{=/+\u2013\u2014\ufffc“„«‹‘‚»›”-])[*_~]*$/.test(before) && !closesHere(before, outer, inner);
  if (typed === '"') return outer[isOpening ? 0 : 1];
  // An apostrophe between letters, and at a word's end without an open mark.
  if (isOpening) return inner[0];
  return isOpen(before, inner) && /[\p{L}\p{N}\p{P}]$/u.test(before) ? inner[1] : "’";
}

/** After a closing inner mark: `„… ‚so‘“`. */
const closesHere = (
  before: string,
  outer: QuotationMarks["outer"],
  inner: QuotationMarks["inner"],
): boolean => [outer[1], inner[1]].some((close) => before.endsWith(close)) && isOpen(before, outer);

const isOpen = (before: string, [open, close]: QuotationMarks["outer"]): boolean =>
  open !== close && before.lastIndexOf(open) > before.lastIndexOf(close);

const isWithinCode = (before: string): boolean => (before.match(/`/g)?.length ?? 0) % 2 === 1;
function isWithinAddress(before: string): boolean {
  const start =
    Math.max(...[" ", "\n", "\t", "\u00a0", "\u202f", "\ufffc"].map((space) => before.lastIndexOf(space))) +
    1;
  // Also that of Markdown's `[words](address)`.
  return /^[^\p{L}\p{N}]*(?:[a-z][a-z\d+.-]*:\/\/|www\.|mailto:)|\]\([^)]*$/iu.test(before.slice(start));
}
