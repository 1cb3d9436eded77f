import { limits } from "../../shared/limits.ts";
import { shortRandom } from "../runtime/ids.ts";
import { latinOf } from "../runtime/latin.ts";

const [suffixLength, randomLength] = [6, 10];

const asWords = (latin: string): string =>
  latin
    .replace(/[\u0300-\u036f'’]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, limits.slug.max - 10)
    .replace(/^-+|-+$/g, "");

/** Slug words before titles of all scripts were supported. */
const formerWordsOf = (title: string): string => asWords(title.normalize("NFKD").replace(/ß/g, "ss"));

/** Returns a title's words in Latin letters; empty if it has none. */
export const wordsOf = (title: string): string => asWords(latinOf(title));

/** Words of the title and a short random part: `a-walk-at-night-k3m9xq`; for a title of symbols a longer random part. */
export function makeSlug(title: string): string {
  const words = wordsOf(title);
  return words ? `${words}-${shortRandom(suffixLength)}` : shortRandom(randomLength);
}

/** Whether a slug may come from this title, by either rule. */
export const isSlugOfTitle = (slug: string, title: string): boolean =>
  [wordsOf(title), formerWordsOf(title)].some((words) => {
    const random = words ? slug.slice(words.length + 1) : slug;
    const length = words ? suffixLength : randomLength;
    return (!words || slug.startsWith(`${words}-`)) && random.length === length && /^[a-z2-9]*$/.test(random);
  });
