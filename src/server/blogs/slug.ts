import { createRequire } from "node:module";
import { limits } from "../../shared/limits.ts";
import { shortRandom } from "../ids.ts";

const load = createRequire(import.meta.url);

const [beside, alone] = [6, 10];

const asWords = (latin: string): string =>
  latin
    .replace(/[\u0300-\u036f'’]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, limits.slug.max - 10)
    .replace(/^-+|-+$/g, "");

/** What a title made before titles of every script did. */
const wordsBefore = (title: string): string => asWords(title.normalize("NFKD").replace(/ß/g, "ss"));

/** The words of a title in any script as an address has them; empty where there is nothing to be said aloud. */
export const wordsOf = (title: string): string => {
  const plain = title
    .normalize("NFKD")
    .replace(/ß/g, "ss")
    // Latin letters lose their marks; in other scripts a mark makes another letter.
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
    .normalize("NFC");
  if (!/[^\0-\x7f]/.test(plain)) return asWords(plain);
  // Its tables take 20 MB: where every title is Latin nobody loads them.
  const { transliterate } = load("transliteration") as typeof import("transliteration");
  return asWords(transliterate(plain).replace(/[`ʼ]/g, ""));
};

/** Words of the title and a short random part: `a-walk-at-night-k3m9xq`. A title of signs alone gets the random part alone. */
export function makeSlug(title: string): string {
  const words = wordsOf(title);
  return words ? `${words}-${shortRandom(beside)}` : shortRandom(alone);
}

/** Whether an address may have been made of this title, now or before titles of every script made one. */
export const isMadeOf = (slug: string, title: string): boolean =>
  [wordsOf(title), wordsBefore(title)].some((words) => {
    const random = words ? slug.slice(words.length + 1) : slug;
    const length = words ? beside : alone;
    return (!words || slug.startsWith(`${words}-`)) && random.length === length && /^[a-z2-9]*$/.test(random);
  });
