import { limits } from "../../shared/limits.ts";
import { shortRandom } from "../ids.ts";

/** Words of the title and a short random part: `a-walk-at-night-k3m9xq`. Titles without Latin letters get the random part alone. */
export function makeSlug(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/ß/g, "ss")
    .replace(/[\u0300-\u036f'’]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, limits.slug.max - 10)
    .replace(/^-+|-+$/g, "");
  return words ? `${words}-${shortRandom(6)}` : shortRandom(10);
}
