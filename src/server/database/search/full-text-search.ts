import { fold } from "../../../shared/fold.ts";
import { expressionsOf, type Expression } from "./expressions.ts";
import {
  maxRanked,
  searched,
  type FoundRow,
  type Search,
  type SearchIndex,
  type SearchKind,
} from "./search-index.ts";

/* Full-text search, for a reader thread (workers/reader.ts). */

interface SearchResult {
  /** Row numbers of a page, the best first; of a blog found by an entry also that of the entry. */
  page: Pick<FoundRow, "seq" | "entry">[];
  /** Of all pages. */
  total: number;
}

interface RankedRow extends FoundRow {
  tier: number;
  score: number;
}

/** Finds the best matches; whole words before parts. Of more than a thousand the newest are ranked. */
export async function find(index: SearchIndex, search: Search): Promise<SearchResult> {
  const { words, pieces } = expressionsOf(search);
  const matchesByNumber = new Map<number, RankedRow>();
  for (const [tier, expressions] of [words, pieces].entries()) {
    // No one pages that far.
    if (matchesByNumber.size >= maxRanked) break;
    let matches: FoundRow[] = [];
    let terms: Expression["terms"] = [];
    for (const expression of expressions) {
      matches = await index.newestReadable(search, expression.query);
      terms = expression.terms;
      if (matches.length >= maxRanked) break;
    }
    const scores = await scoresOf(index, search.kind, terms, matches);
    for (const match of matches)
      if (!matchesByNumber.has(match.seq))
        matchesByNumber.set(match.seq, { ...match, tier, score: scores.get(match.seq) ?? 0 });
  }
  const ranking = [...matchesByNumber.values()].sort(
    (a, b) =>
      (search.newestFirst ? b.at - a.at : 0) ||
      Number(b.order === search.exact) - Number(a.order === search.exact) ||
      a.tier - b.tier ||
      b.score - a.score ||
      (search.kind === "blogs" ? b.at - a.at || (b.order > a.order ? 1 : -1) : a.order > b.order ? 1 : -1),
  );
  const page = ranking.slice(search.offset, search.offset + search.limit);
  return { page, total: ranking.length };
}

/**
 * Scores matches by the columns with each term. A store's own rank reads all entries of a word several times to learn how rare it
 * is; here at most a thousand short texts are read.
 */
async function scoresOf(
  index: SearchIndex,
  kind: SearchKind,
  terms: Expression["terms"],
  matches: FoundRow[],
): Promise<Map<number, number>> {
  const scores = new Map<number, number>();
  if (matches.length < 2) return scores;
  const weights = Object.entries(searched[kind].weights);
  const numbers = matches.map(({ seq }) => seq);
  for (const row of await index.rankedTexts(kind, numbers)) {
    let score = 0;
    for (const [column, weight] of weights) {
      const text = fold((row[column] as string | undefined) ?? "");
      for (const matchesTerm of terms) if (matchesTerm(text)) score += weight;
    }
    scores.set(row.seq as number, score);
  }
  return scores;
}
