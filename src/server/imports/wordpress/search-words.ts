import type { SourcePost } from "../source.ts";
import { asName } from "./blocks.ts";
import { metaOf } from "./channel.ts";
import type { Part } from "./xml.ts";

type SearchWords = Pick<SourcePost, "searchTitle" | "searchDescription" | "canonicalUrl">;

/** What the usual plugins have for search engines. */
export function searchWords(item: Part, tell: (problem: string) => void): SearchWords {
  const of = (...keys: string[]) => keys.map((key) => metaOf(item, key)).find(Boolean) ?? "";
  const title = asName(item.said("title"));
  const written = of(
    "_yoast_wpseo_title",
    "rank_math_title",
    "_aioseo_title",
    "_aioseop_title",
    "_genesis_title",
  );
  const searchTitle = filledIn(written, title);
  const noIndex = of("_yoast_wpseo_meta-robots-noindex") === "1" || /noindex/.test(of("rank_math_robots"));
  if (noIndex) tell("Its setting to hide it from search engines was not kept");
  return {
    searchTitle: searchTitle === title ? undefined : searchTitle,
    searchDescription: filledIn(
      of("_yoast_wpseo_metadesc", "rank_math_description", "_aioseo_description", "_aioseop_description"),
      title,
    ),
    canonicalUrl: of("_yoast_wpseo_canonical", "rank_math_canonical_url") || undefined,
  };
}

/** Without the names of values that a page's maker fills in, and what stood between them. */
function filledIn(text: string, title: string): string | undefined {
  return (
    asName(text.slice(0, 1_000))
      .replace(/%%?title%%?|#post_title/g, () => title)
      .replace(/ ?(?:%%?[a-z_]{2,30}%%?|#[a-z_]{3,30}) ?/g, " ")
      .trim() || undefined
  );
}
