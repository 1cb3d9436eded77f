import { z } from "zod";
import type { BlogCard } from "./blogs.ts";
import { limits } from "./limits.ts";
import type { ListedPerson } from "./social.ts";
import { PageNumber } from "./users.ts";
import type { Person } from "./users.ts";

/** A search query: anything is accepted; invisible characters become spaces, long queries are cut. */
export const SearchQuery = z
  .string()
  .max(10_000, "That’s too long to search for.")
  .transform((value) =>
    [
      ...value
        .normalize("NFC")
        .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ")
        .trim(),
    ]
      .slice(0, limits.search.max)
      .join(""),
  );

export const Search = z.strictObject({ query: SearchQuery.default(""), page: PageNumber.default(1) });

/** A part of a text; the page highlights a `hit`. All parts joined are the text. */
export interface TextPart {
  text: string;
  hit: boolean;
}

/**
 * `snippet` is the part of the body with the words, else its beginning. `entryId`: the words are in this entry of a live blog, and the
 * snippet is from it.
 */
export interface FoundBlog extends BlogCard {
  entryId?: string | undefined;
  highlights: { title: TextPart[]; description: TextPart[]; snippet: TextPart[] };
}

/**
 * `total` counts up to about a thousand. An empty query lists the newest blogs, without it. `suggestion`: a similar query that
 * finds something, if this one does not.
 */
export interface BlogSearch {
  blogs: FoundBlog[];
  page: number;
  hasMore: boolean;
  total?: number;
  suggestion?: string;
}

export interface FoundPerson extends ListedPerson {
  highlights: { name: TextPart[]; username: TextPart[]; bio: TextPart[] };
}

/** Empty for an empty query. */
export interface PeopleSearch {
  people: FoundPerson[];
  page: number;
  hasMore: boolean;
  total?: number;
  suggestion?: string;
}

/** `interest` is spelled as in the viewer's settings. */
export type RecommendationReason =
  | { kind: "interest"; interest: string }
  | { kind: "following"; person: Person }
  | { kind: "liked-by"; person: Person }
  | { kind: "fresh" };

export interface RecommendedBlog extends BlogCard {
  why: RecommendationReason;
}

export interface Recommendations {
  blogs: RecommendedBlog[];
}
