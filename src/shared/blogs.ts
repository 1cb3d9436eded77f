import { defaultSort, sortNames } from "./feed-sorts.ts";
import { ownBlogFilters, ownBlogSorts } from "./own-blogs.ts";
import { z } from "zod";
import { languageTag } from "./languages.ts";
import { limits } from "./limits.ts";
import { messages } from "./errors.ts";
import { searchEngineLimits, normalizeWebUrl } from "./search-engine-fields.ts";
import { hasStackedMarks, hasVisibleText, removeInvisible } from "./plain-text.ts";
import { NamedZone } from "./notification-inputs.ts";
import { Id, PageNumber, line, lines } from "./users.ts";
import { slugForm, slugHint } from "./slug.ts";
import { cleanTag, dotTag, hasTagPage } from "./tags.ts";
import type { LiveState } from "./entries.ts";
import type { FollowStatus, Person } from "./users.ts";
import type { ProfileTab } from "./routes.ts";

/** A picture in the media store: paths on this site, size in pixels, placeholder colour. */
export interface Picture {
  id: string;
  src: string;
  srcset: string;
  width: number;
  height: number;
  color: string;
  alt?: string;
  /** Of a cover: the point that stays in view; absent for its middle. */
  focus?: CoverPoint;
}

/** A point of a picture, in percent from the left and from the top. */
export interface CoverPoint {
  x: number;
  y: number;
}

/**
 * A blog in a list. `publishedAt` is ISO 8601, for a draft when it was last saved. `liked` and `saved` are the viewer's own.
 */
export interface BlogCard {
  id: string;
  slug: string;
  title: string;
  description: string;
  excerpt: string;
  tags: string[];
  cover: Picture | null;
  draft: boolean;
  private: boolean;
  publishedAt: string;
  readingMinutes: number;
  likesCount: number;
  commentsCount: number;
  savesCount: number;
  author: Person;
  /** Co-authors in the order they joined, without those hidden from the viewer; absent if there are none. */
  coAuthors?: Person[];
  /** Its language tag, as in HTML's `lang`; absent if unknown. */
  language?: string;
  liked: boolean;
  saved: boolean;
  /** Of the viewer's own draft: its scheduled time as text. */
  scheduled?: string;
  /** A live blog that takes entries now. */
  onAir?: true;
}

/**
 * The difference between two texts: runs of unchanged blocks, `[first, count]`, and new blocks as HTML. `blocks` is null if
 * nothing changed. `from` and `to` are digests; with `from` null, `blocks` is the whole text.
 */
export interface TextChange {
  from: string | null;
  to: string;
  blocks: ([first: number, count: number] | string)[] | null;
}

/** A blog on its page. `html` passed through the document schema; `cursor` is where its live stream resumes. */
export interface BlogPage extends BlogCard {
  html: string;
  /** The table of contents as HTML (`contentsOf`); empty for a short text. */
  contents?: string;
  /** Identifies the text. `change`: the difference to the text that the page has (`ReadBlog`), sent instead of `html`. */
  digest: string;
  change?: TextChange | null;
  editedAt: string | null;
  createdAt: string;
  /** The viewer is its owner. */
  mine: boolean;
  /** The viewer is its owner or a co-author. */
  writes: boolean;
  /** Why moderators took it down: only its authors can read it. */
  takedownReason: string | null;
  commentsFrom: Commenters;
  /** Null if it is no live blog. */
  live: LiveState | null;
  follow: FollowStatus;
  cursor: string;
  /** Where it first appeared, if elsewhere; title and description for search engines. Empty for none. */
  canonicalUrl: string;
  searchTitle: string;
  searchDescription: string;
}

/** Who can comment beside the author, of those who can read it; `approved` is everyone, after the author's approval. */
export const commenters = ["everyone", "approved", "followers", "nobody"] as const;
export type Commenters = (typeof commenters)[number];
export const SetCommenters = z.strictObject({ id: Id, commentsFrom: z.enum(commenters) });

/** A blog as its authors edit it; its text is in the draft. */
export interface EditableBlog {
  id: string;
  /** The viewer is its owner, not a co-author. */
  mine: boolean;
  slug: string;
  /** Counts its changes: a save names the one it is based on. */
  etag: number;
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  draft: boolean;
  private: boolean;
  live: LiveState | null;
  canonicalUrl: string;
  searchTitle: string;
  searchDescription: string;
  /** Chosen by its author; empty: recognized from the text. */
  language: string;
  updatedAt: string;
  schedule: Schedule | null;
}

/** A time (ISO 8601), and the time zone it was chosen in (IANA name). */
export interface Schedule {
  at: string;
  zone: string;
}

export interface SavedBlog {
  id: string;
  slug: string;
  etag: number;
  /** Remote pictures that could not be fetched and became links, as `message` says. */
  links: number;
  message: string;
}

export interface BlogList {
  blogs: BlogCard[];
  page: number;
  hasMore: boolean;
}

/** Totals over a member's own blogs; `averageLikes` has one decimal. */
export interface BlogStats {
  blogs: number;
  likes: number;
  comments: number;
  averageLikes: number;
}

export const ListBlogs = z.strictObject({
  page: PageNumber.default(1),
  sort: z.enum(sortNames).default(defaultSort),
});
export const ListFollowing = ListBlogs.pick({ page: true });
export const ListByAuthor = z.strictObject({
  username: z.string().min(1).max(100),
  tab: z
    .enum(["blogs", "saved-blogs", "liked-blogs", "draft-blogs", "private-blogs"] satisfies ProfileTab[])
    .default("blogs"),
  page: PageNumber.default(1),
});
/** A page of the viewer's own blogs: which of them, their order, and words in their titles. */
export const ListOwnBlogs = z.strictObject({
  page: PageNumber.default(1),
  show: z.enum(ownBlogFilters).default("all"),
  sort: z.enum(ownBlogSorts).default("latest"),
  words: z.string().max(100).default(""),
});
export const Slug = z.strictObject({ slug: z.string().min(1).max(200) });
/** `has` is the digest of the text that the page has. */
export const ReadBlog = Slug.extend({ has: z.string().max(20).optional() });
/** Articles cached by a browser (src/client/worker). */
export const CachedSlugs = z.strictObject({ slugs: z.array(Slug.shape.slug).max(30) });
export const BlogId = z.strictObject({ id: Id });
/** `begun`: only if it was never saved. */
export const RemoveBlog = z.strictObject({ id: Id, begun: z.boolean().default(false) });

export const Tag = z
  .string()
  .max(200)
  .transform((value) => cleanTag(removeInvisible(value.toWellFormed())))
  .refine(hasVisibleText, "A tag can't be empty.")
  .refine((value) => !hasStackedMarks(value), "A tag has too many accents on one letter. Please remove some.")
  .refine(
    (value) => [...value].length <= limits.tags.length,
    `A tag can have up to ${limits.tags.length} characters.`,
  )
  .refine((value) => !/[\s\p{Cc}]/u.test(value), "A tag can’t have spaces.")
  .refine(hasTagPage, dotTag);
export const ListTagged = z.strictObject({ tag: Tag, ...ListBlogs.shape });
export const Tags = z
  .array(Tag)
  .max(100)
  .transform((tags) => [...new Set(tags)])
  .refine((tags) => tags.length <= limits.tags.max, messages.tagLimit);

/** A slug chosen by the author. It cannot look like an id. */
export const OwnSlug = z
  .string()
  .max(200)
  .transform((value) => value.trim().toLowerCase())
  .refine(
    (value) => slugForm.test(value) && !Id.safeParse(value).success,
    `An address can only have ${slugHint.toLowerCase()}`,
  )
  .refine(
    (value) => value.length <= limits.slug.max,
    `An address can have up to ${limits.slug.max} characters.`,
  );

/** The normalized URL where it first appeared; empty for none. */
const CanonicalUrl = z
  .string()
  .max(10_000)
  .transform((value) => (value.trim() === "" ? "" : normalizeWebUrl(value.trim())))
  .refine((value) => value !== null, "Enter the full address, such as https://example.org/a-text.")
  .refine(
    (value) => (value ?? "").length <= searchEngineLimits.canonicalUrl,
    `An address elsewhere has at most ${searchEngineLimits.canonicalUrl} characters.`,
  )
  .transform((value) => value ?? "");

/** A language tag; empty to guess it. */
export const Language = z
  .string()
  .max(200)
  .transform((value) => (value.trim() === "" ? "" : languageTag(value.trim())))
  .refine((value) => value !== null, "Please name the language by its tag, such as en or pt-BR.")
  .transform((value) => value ?? "");

const notPercent = "The focus of a cover is {x, y}: whole numbers from 0 to 100, in percent.";
const Percent = z.number(notPercent).int(notPercent).min(0, notPercent).max(100, notPercent);

/** The point of a cover that stays in view; null for its middle. */
export const CoverFocus = z
  .strictObject({ x: Percent, y: Percent }, notPercent)
  .nullable()
  .transform((point) => (point?.x === 50 && point.y === 50 ? null : point));

const fields = {
  title: line(limits.title.max, "The title").refine(hasVisibleText, "Please give your blog a title."),
  description: lines(limits.description.max, "The description"),
  tags: Tags,
  /** A ProseMirror document as JSON; checked against the schema by the service. */
  document: z.unknown(),
  coverId: Id.nullable(),
  coverFocus: CoverFocus,
  draft: z.boolean(),
  private: z.boolean(),
  canonicalUrl: CanonicalUrl,
  searchTitle: line(searchEngineLimits.title, "The title for search engines"),
  searchDescription: line(searchEngineLimits.description, "The description for search engines"),
  language: Language,
  /** Null cancels the scheduled publication. */
  schedule: z
    .strictObject({
      at: z.iso.datetime({ offset: true, error: "That’s not a valid time." }),
      zone: NamedZone,
    })
    .nullable(),
};

export const NewBlog = z.strictObject({
  /** Made by the client, so that a retry creates no second blog. */
  id: Id,
  title: fields.title,
  description: fields.description.default(""),
  tags: fields.tags.default([]),
  document: fields.document,
  coverId: fields.coverId.default(null),
  coverFocus: fields.coverFocus.default(null),
  draft: fields.draft.default(false),
  private: fields.private.default(false),
  canonicalUrl: fields.canonicalUrl.default(""),
  searchTitle: fields.searchTitle.default(""),
  searchDescription: fields.searchDescription.default(""),
  language: fields.language.default(""),
  /** By default made from the title. */
  slug: OwnSlug.optional(),
  schedule: fields.schedule.optional(),
});
/** Missing fields stay as they are. */
export const BlogUpdate = z.strictObject({
  id: Id,
  title: fields.title.optional(),
  description: fields.description.optional(),
  tags: fields.tags.optional(),
  document: fields.document.optional(),
  coverId: fields.coverId.optional(),
  /** Without one, a new cover is centred. */
  coverFocus: fields.coverFocus.optional(),
  draft: fields.draft.optional(),
  private: fields.private.optional(),
  canonicalUrl: fields.canonicalUrl.optional(),
  searchTitle: fields.searchTitle.optional(),
  searchDescription: fields.searchDescription.optional(),
  language: fields.language.optional(),
  slug: OwnSlug.optional(),
  schedule: fields.schedule.optional(),
  /** The etag that the change is based on; if it is outdated, nothing is changed. */
  etag: z.number().int().min(1).optional(),
  /** The version that it restores. */
  restores: Id.optional(),
});
