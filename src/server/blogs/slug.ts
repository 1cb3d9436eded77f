import { limits } from "../../shared/limits.ts";
import { shortRandom } from "../ids.ts";

const [beside, alone] = [6, 10];

/** The words of a title as an address has them; empty where it has no Latin letters. */
export const wordsOf = (title: string): string =>
  title
    .normalize("NFKD")
    .replace(/ß/g, "ss")
    .replace(/[\u0300-\u036f'’]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, limits.slug.max - 10)
    .replace(/^-+|-+$/g, "");

/** Words of the title and a short random part: `a-walk-at-night-k3m9xq`. Titles without Latin letters get the random part alone. */
export function makeSlug(title: string): string {
  const words = wordsOf(title);
  return words ? `${words}-${shortRandom(beside)}` : shortRandom(alone);
}

/** Whether an address may have been made of this title. */
export function isMadeOf(slug: string, title: string): boolean {
  const words = wordsOf(title);
  const random = words ? slug.slice(words.length + 1) : slug;
  const length = words ? beside : alone;
  return (!words || slug.startsWith(`${words}-`)) && random.length === length && /^[a-z2-9]*$/.test(random);
}
