import type { SourcePost } from "../source.ts";
import { unescapedName } from "./blocks.ts";
import { metaOf } from "./channel.ts";
import type { XmlElement } from "./xml.ts";

type SearchFields = Pick<SourcePost, "searchTitle" | "searchDescription" | "canonicalUrl">;

/** Reads the fields of common plugins. */
export function searchFields(item: XmlElement, reportProblem: (problem: string) => void): SearchFields {
  const firstValue = (...keys: string[]) => keys.map((key) => metaOf(item, key)).find(Boolean) ?? "";
  const title = unescapedName(item.childText("title"));
  const titleField = firstValue(
    "_yoast_wpseo_title",
    "rank_math_title",
    "_aioseo_title",
    "_aioseop_title",
    "_genesis_title",
  );
  const searchTitle = withoutPlaceholders(titleField, title);
  const noIndex =
    firstValue("_yoast_wpseo_meta-robots-noindex") === "1" || /noindex/.test(firstValue("rank_math_robots"));
  if (noIndex) reportProblem("Its setting to hide it from search engines was not kept");
  return {
    searchTitle: searchTitle === title ? undefined : searchTitle,
    searchDescription: withoutPlaceholders(
      firstValue(
        "_yoast_wpseo_metadesc",
        "rank_math_description",
        "_aioseo_description",
        "_aioseop_description",
      ),
      title,
    ),
    canonicalUrl: firstValue("_yoast_wpseo_canonical", "rank_math_canonical_url") || undefined,
  };
}

/** Removes placeholders such as `%%sitename%%` and the separators between them. */
function withoutPlaceholders(text: string, title: string): string | undefined {
  return (
    unescapedName(text.slice(0, 1_000))
      .replace(/%%?title%%?|#post_title/g, () => title)
      .replace(/ ?(?:%%?[a-z_]{2,30}%%?|#[a-z_]{3,30}) ?/g, " ")
      .trim() || undefined
  );
}
