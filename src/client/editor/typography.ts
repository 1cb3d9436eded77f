/** Quotation marks within and around others, as a language has them: with the spaces that belong to them. */
interface Marks {
  outer: readonly [open: string, close: string];
  inner: readonly [open: string, close: string];
}

const low: Marks = { outer: ["„", "“"], inner: ["‚", "‘"] };
const high: Marks = { outer: ["“", "”"], inner: ["‘", "’"] };
const polish: Marks = { outer: ["„", "”"], inner: ["‚", "’"] };
const angled: Marks = { outer: ["«", "»"], inner: ["“", "”"] };
const same: Marks = { outer: ["”", "”"], inner: ["’", "’"] };
const spaced: Marks = { outer: ["«\u202f", "\u202f»"], inner: ["‹\u202f", "\u202f›"] };

const byLanguage: Record<string, Marks> = {
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

/** How a dash stands between words that have spaces around it; elsewhere it is the short one. */
const longDash = new Set(["be", "bg", "es", "it", "ru", "uk"]);
/** Those that have no word of their own for what is typed here, or other signs for it. */
const none = new Set(["ar", "fa", "he", "hi", "ja", "ko", "th", "ur", "zh"]);

const baseOf = (language: string): string => language.split("-", 1)[0]!.toLowerCase();
const marksOf = (language: string): Marks => byLanguage[language] ?? byLanguage[baseOf(language)] ?? high;

/** What is put in the place of the last `drop` characters before the caret and of the one that is typed. */
export interface Replacement {
  drop: number;
  text: string;
}

/**
 * What a typed character becomes behind this text of its block, by the language that is written; null where it stays what it is.
 * Addresses of the web stay as they are typed, and so does code, also where its end is not typed yet.
 */
export function typeset(before: string, typed: string, language: string): Replacement | null {
  if (isWithinCode(before) || isWithinAddress(before)) return null;
  if (typed === '"' || typed === "'")
    return none.has(baseOf(language)) ? null : { drop: 0, text: quote(before, typed, marksOf(language)) };
  const elided = typed === "'" ? null : elision(before, typed);
  if (elided && marksOf(language).inner[0] === "‘") return elided;
  if (typed === ".") return /(?:^|[^./\\])\.\.$/.test(before) ? { drop: 2, text: "…" } : null;
  // Behind a word or a space; `--all` is an option of a program, and a line of dashes is a rule.
  if (typed === "-") return /[^\s-]--$/.test(before) ? { drop: 2, text: "—" } : null;
  if (typed === " " && before.endsWith(" --"))
    return { drop: 2, text: longDash.has(baseOf(language)) ? "— " : "– " };
  if (/[\p{L}\p{N}]/u.test(typed) && /[\p{L}\p{N}]--$/u.test(before))
    return { drop: 2, text: `${baseOf(language) === "en" ? "—" : "–"}${typed}` };
  if (baseOf(language) === "fr" && language !== "fr-CH" && /[^\s] $/.test(before) && /[;:!?»]/.test(typed))
    return { drop: 1, text: `${typed === ":" ? "\u00a0" : "\u202f"}${typed}` };
  return null;
}

/** `’90s`, `’tis` and `rock ’n’ roll`: what was set as a mark that opens is an apostrophe. */
function elision(before: string, typed: string): Replacement | null {
  if (/\p{N}/u.test(typed) && /(?:^|\s)‘$/.test(before)) return { drop: 1, text: `’${typed}` };
  const word = /[\s.,;!?]/.test(typed) && /(?:^|\s)‘((?:tis|twas|em|til|cause)|n[‘’])$/i.exec(before)?.[1];
  return word ? { drop: word.length + 1, text: `’${word.replace(/‘$/, "’")}${typed}` } : null;
}

function quote(before: string, typed: string, { outer, inner }: Marks): string {
  // Signs of Markdown that are to become a mark stand between.
  const isOpening =
    /(?:^|[\s([{=/+\u2013\u2014\ufffc“„«‹‘‚»›”-])[*_~]*$/.test(before) && !closesHere(before, outer, inner);
  if (typed === '"') return outer[isOpening ? 0 : 1];
  // Between letters, and at the end of a word where none is open, it is an apostrophe.
  if (isOpening) return inner[0];
  return isOpen(before, inner) && /[\p{L}\p{N}\p{P}]$/u.test(before) ? inner[1] : "’";
}

/** Right behind a mark that closes what stands within: `„… ‚so‘“`. */
const closesHere = (before: string, outer: Marks["outer"], inner: Marks["inner"]): boolean =>
  [outer[1], inner[1]].some((close) => before.endsWith(close)) && isOpen(before, outer);

const isOpen = (before: string, [open, close]: Marks["outer"]): boolean =>
  open !== close && before.lastIndexOf(open) > before.lastIndexOf(close);

const isWithinCode = (before: string): boolean => (before.match(/`/g)?.length ?? 0) % 2 === 1;
const isWithinAddress = (before: string): boolean =>
  /(?:^|\s)[^\s\p{L}\p{N}]*(?:[a-z][a-z\d+.-]*:\/\/|www\.|mailto:)\S*$/iu.test(before);
