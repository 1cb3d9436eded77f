import type { DocumentJson } from "./document/schema.ts";
import { documentToText } from "./document/to-text.ts";
import { functionWordShares } from "./function-words.ts";

/** The fewest letters that allow a guess, and the most that are used. */
const letters = { least: 80, most: 2_000 };
/** Another language's score (of 1) above which the guess is ambiguous. */
const nearest = 0.955;

/** The candidate languages, from the library's codes to language tags. */
const tags: Record<string, string> = Object.fromEntries(
  `afr af arb ar azj az bel be ben bn bul bg cat ca ces cs cmn zh dan da deu de ekk et ell el eng en epo eo fin fi fra fr
  glg gl heb he hin hi hrv hr hun hu ind id ita it jpn ja kat ka kaz kk kor ko lit lt lvs lv mkd mk nld nl nno nn nob nb
  pes fa pol pl por pt ron ro rus ru slk sk slv sl spa es srp sr swe sv swh sw tam ta tel te tgl tl tha th tur tr ukr uk
  urd ur vie vi`
    .trim()
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, at, all) => {
      if (at % 2 === 0) pairs.push([word, all[at + 1]!]);
      return pairs;
    }, []),
);
/** A score (of 1) above which function words decide, and the least share of these in a text. */
const possible = 0.9;
const leastShare = 0.15;
/** Similar languages, which do not make each other ambiguous. */
const families = [
  ["da", "nb", "nn", "sv"],
  ["nl", "af"],
  ["cs", "sk"],
  ["es", "pt", "gl", "ca"],
  ["hr", "sl"],
  ["be", "bg", "mk", "ru", "sr", "uk"],
].map((family) => new Set(family));

/** Returns the language of a text without its code; empty if ambiguous. Call in a worker thread. */
export async function guessLanguage({ content = [] }: DocumentJson): Promise<string> {
  const prose = content.filter(({ type }) => type !== "code_block" && type !== "formula_block");
  // Avoids serializing a long text.
  const text = documentToText({ type: "doc", content: prose.slice(0, 60) }).slice(0, letters.most);
  const count = text.match(/\p{L}/gu)?.length ?? 0;
  // Scripts where a letter is a word need fewer.
  if (
    count <
    (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u.test(text) ? letters.least / 4 : letters.least)
  )
    return "";
  const { francAll } = await import("franc");
  const guesses = francAll(text, { only: Object.keys(tags), minLength: 10 }).map(
    ([name, nearness]) => [tags[name] ?? "", nearness] as const,
  );
  const [bestGuess = ""] = guesses[0] ?? [];
  const other = guesses.slice(1).find(([tag]) => !isSimilar(tag, bestGuess));
  if (other && other[1] > nearest) return byFunctionWords(text, guesses);
  const similar = guesses.map(([tag]) => tag).filter((tag) => tag === bestGuess || isSimilar(tag, bestGuess));
  return sharesOf(text, similar)[0]?.[0] ?? "";
}

/** Returns the language of the most frequent words, for a text whose letters are ambiguous, as by its names; empty if unclear. */
function byFunctionWords(text: string, guesses: (readonly [tag: string, nearness: number])[]): string {
  const candidates = guesses.filter(([, nearness]) => nearness > possible).map(([tag]) => tag);
  const shares = sharesOf(text, candidates);
  const [tag = "", share = 0] = shares[0] ?? [];
  const next = shares.slice(1).find(([other]) => !isSimilar(other, tag))?.[1] ?? 0;
  return share > leastShare && share > 2 * next ? tag : "";
}

/** The largest share first; equal ones in the given order. */
const sharesOf = (text: string, languages: string[]) =>
  functionWordShares(text, languages).toSorted(([, one], [, other]) => other - one);

const isSimilar = (one: string, other: string): boolean =>
  families.some((languages) => languages.has(one) && languages.has(other));
