import type { SearchWord } from "./words.ts";

/* What a search asks an index, of either store: sqlite/search.ts, postgres/search.ts. */

/** The fields that rank matches. Each weighs more than all below it together; the body, not listed, nothing. */
export const searched = {
  blogs: { weights: { title: 8, tags: 4, description: 2 }, partsIn: ["title", "tags"] },
  people: { weights: { username: 4, name: 2 }, partsIn: ["name", "username"] },
} as const;

export type SearchKind = keyof typeof searched;

/** The most matches that are ranked, the newest; so many are read at once. */
export const maxRanked = 1_000;
/**
 * How many numbers of an index are read at most to find readable ones, from the highest. Entries have more: those of a few live blogs are
 * not to hide all others.
 */
export const mostRead = { rows: 5_000, entries: 20_000 };

/** Characters of a piece. */
export const pieceLength = 3;

export interface Search {
  kind: SearchKind;
  words: SearchWord[];
  viewer: string | null;
  /** The person with exactly this username comes first. */
  exact?: string;
  newestFirst?: boolean;
  limit: number;
  offset: number;
}

/** What a text must have. */
export type Match =
  /** These words next to each other, the last perhaps only begun; in an index of pieces: these three or more characters anywhere. */
  | { text: string; isBeginning?: boolean }
  /** Less than a piece: one or two characters. `isWord`: only as a word of its own. */
  | { short: string; isWord: boolean }
  | { all: Match[] }
  | { any: Match[] };

/** `pieces` finds parts of words: in short fields, and in whole texts of scripts without spaces. */
export interface IndexQuery {
  index: "words" | "pieces";
  /** All of them if absent. */
  fields?: readonly string[];
  match: Match;
}

/** `entry` is 0 if a blog was found by its own words. `at` and `order` break ties. */
export interface FoundRow {
  seq: number;
  entry: number;
  at: number;
  order: string;
}

/** Rows by number. */
export type Texts = Map<number, Record<string, string>>;

/** The index and the rows of one snapshot. */
export interface SearchIndex {
  /**
   * Returns the newest readable matches, at most `count`, each blog once: by its own words, or, if `entries` may have them, by the newest
   * with them.
   */
  newestReadable(
    search: Pick<Search, "kind" | "viewer">,
    query: IndexQuery,
    options?: { count?: number; entries?: boolean },
  ): Promise<FoundRow[]>;
  /** Returns the texts that rank. Tags are JSON, whose punctuation matches no word. */
  rankedTexts(kind: SearchKind, numbers: number[]): Promise<Record<string, unknown>[]>;
  /** Returns the texts that a result shows. */
  shownTexts(kind: SearchKind, numbers: number[]): Promise<Texts>;
  shownEntries(numbers: number[]): Promise<Texts>;
}

/** Characters of a text searched for a snippet. */
const maxSnippetLength = 16_000;

/** Queries of texts, for numbers in a list. */
export const textQueries = {
  ranked: {
    blogs: "select seq, title, tags, description from blogs",
    people: "select seq, username, name from users",
  },
  shown: {
    blogs: `select seq, id, title, description, excerpt, substr(text, 1, ${maxSnippetLength}) as text from blogs`,
    people: "select seq, id, name, username, bio from users",
  },
  entries: `select seq, id, case when title = '' then text when text = '' then title else title || ' · ' || text end as text from entries`,
};
