import { z } from "zod";
import type { BlogCard } from "./blogs.ts";
import { limits } from "./limits.ts";
import type { ListedPerson } from "./social.ts";
import { PageNumber } from "./users.ts";
import type { Person } from "./users.ts";

/** What is typed into the search: anything goes; characters nobody sees become spaces, and what is too long is cut. */
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

/** A piece of a text; the page draws a `hit` as marked. The pieces of a whole text, one after another, are that text. */
export interface TextPart {
  text: string;
  hit: boolean;
}

/** `snippet` is the part of the body where the words are, or its beginning where they are elsewhere. */
export interface FoundBlog extends BlogCard {
  highlights: { title: TextPart[]; description: TextPart[]; snippet: TextPart[] };
}

/** `total` counts what was found up to a thousand or so, and is missing where nothing was asked for: then the newest blogs are listed. */
export interface BlogSearch {
  blogs: FoundBlog[];
  page: number;
  hasMore: boolean;
  total?: number;
}

export interface FoundPerson extends ListedPerson {
  highlights: { name: TextPart[]; username: TextPart[]; bio: TextPart[] };
}

/** Nobody where nothing was asked for. */
export interface PeopleSearch {
  people: FoundPerson[];
  page: number;
  hasMore: boolean;
  total?: number;
}

/** Why a blog is recommended; `interest` is written as the viewer has it in their settings. */
export type Why =
  | { kind: "interest"; interest: string }
  | { kind: "following"; person: Person }
  | { kind: "liked-by"; person: Person }
  | { kind: "fresh" };

export interface RecommendedBlog extends BlogCard {
  why: Why;
}

export interface Recommendations {
  blogs: RecommendedBlog[];
}
