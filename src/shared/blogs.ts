import { ownShown, ownSorts } from "./own-list.ts";
import { z } from "zod";
import { languageTag } from "./languages.ts";
import { limits } from "./limits.ts";
import { messages } from "./errors.ts";
import { searchLimits, webAddress } from "./for-search.ts";
import { hasPile, isSeen, withoutUnseen } from "./plain-text.ts";
import { NamedZone } from "./notifications.ts";
import { Id, PageNumber, line, lines } from "./users.ts";
import { slugForm, slugHint } from "./slug.ts";
import type { FollowStatus, Person } from "./users.ts";
import type { ProfileTab } from "./routes.ts";

/** A picture in the media store: paths on this site, size in pixels, the colour that stands in for it while it loads. */
export interface Picture {
  id: string;
  src: string;
  srcset: string;
  width: number;
  height: number;
  color: string;
  alt?: string;
  /** Of a cover: the point that stays in view where it is cropped; absent: its middle. */
  focus?: CoverPoint;
}

/** A point of a picture, in percent of its width from the left and of its height from the top. */
export interface CoverPoint {
  x: number;
  y: number;
}

/** A blog in a list. `publishedAt` is ISO 8601; a draft's is the time it was last saved. `liked` and `saved` are the viewer's own. */
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
  /** Who writes it beside its author, as they joined; without those who are hidden from the viewer. Absent where nobody does. */
  coAuthors?: Person[];
  /** What it is written in, as HTML names languages; absent where nobody knows. */
  language?: string;
  liked: boolean;
  saved: boolean;
  /** Of a draft of the viewer's own that is to be published by itself: when, in words. */
  scheduled?: string;
}

/**
 * A text as it is by the one before it: runs of blocks that stay, `[first, count]`, and new ones as HTML. `blocks` null: it is the
 * same. `from` and `to` are digests; `from` null: it is all there.
 */
export interface TextChange {
  from: string | null;
  to: string;
  blocks: ([first: number, count: number] | string)[] | null;
}

/** A blog as read: its HTML passed through the document schema. `cursor` is where its live stream goes on. */
export interface BlogPage extends BlogCard {
  html: string;
  /** The list of contents of a long text as HTML (`contentsOf`); empty where there is none. */
  contents?: string;
  /** Names the text. `change`: what is to be brought into it; of an answer to who has another one (`ReadBlog`), in its place. */
  digest: string;
  change?: TextChange | null;
  editedAt: string | null;
  createdAt: string;
  /** The viewer is its author: deletes it, decides who comments and who writes it. */
  mine: boolean;
  /** The viewer may write it: its author, or a co-author. */
  writes: boolean;
  /** Why moderators took it down; its authors alone read it then. */
  takedownReason: string | null;
  commentsFrom: Commenters;
  /** Readers see it as it is written. */
  live: boolean;
  follow: FollowStatus;
  cursor: string;
  /** Where it appeared first, if elsewhere, and what search engines show in place of its title and description; empty for none. */
  canonicalUrl: string;
  searchTitle: string;
  searchDescription: string;
}

/** Who may comment beside the author, of those who may read it; `approved` is everyone, whose comments wait until the author lets them in. */
export const commenters = ["everyone", "approved", "followers", "nobody"] as const;
export type Commenters = (typeof commenters)[number];
export const SetCommenters = z.strictObject({ id: Id, commentsFrom: z.enum(commenters) });

/** A blog as its authors edit it; its text is in the working copy. */
export interface EditableBlog {
  id: string;
  /** The viewer is its author, and no co-author. */
  mine: boolean;
  slug: string;
  /** Counts its changes: a save names the one that it was written on. */
  version: number;
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  draft: boolean;
  private: boolean;
  /** Readers see it as it is written. */
  live?: boolean;
  canonicalUrl: string;
  searchTitle: string;
  searchDescription: string;
  /** As its author says; empty: as `guessedLanguage`. */
  language: string;
  guessedLanguage?: string;
  updatedAt: string;
  /** When it is to be published by itself. */
  schedule: Schedule | null;
}

/** A time, ISO 8601, and the time zone in which it was chosen, as the IANA calls it. */
export interface Schedule {
  at: string;
  zone: string;
}

/** What a save is answered with. */
export interface SavedBlog {
  id: string;
  slug: string;
  version: number;
  /** How many pictures from elsewhere could not be brought in, and became links; the message says so. */
  links: number;
  message: string;
}

export interface BlogList {
  blogs: BlogCard[];
  page: number;
  hasMore: boolean;
}

/** Sums over somebody's own blogs; `averageLikes` has one decimal. */
export interface BlogStats {
  blogs: number;
  likes: number;
  comments: number;
  averageLikes: number;
}

export type Sort = "latest" | "likes";

export const ListBlogs = z.strictObject({
  page: PageNumber.default(1),
  sort: z.enum(["latest", "likes"]).default("latest"),
});
/** A page of what those write whom the viewer follows. */
export const ListFollowing = ListBlogs.pick({ page: true });
export const ListByAuthor = z.strictObject({
  username: z.string().min(1).max(100),
  tab: z
    .enum(["blogs", "saved-blogs", "liked-blogs", "draft-blogs", "private-blogs"] satisfies ProfileTab[])
    .default("blogs"),
  page: PageNumber.default(1),
});
/** Which of one's own blogs are listed, from which end, and with these words in their titles. */
export const MyBlogs = z.strictObject({
  page: PageNumber.default(1),
  show: z.enum(ownShown).default("all"),
  sort: z.enum(ownSorts).default("latest"),
  words: z.string().max(100).default(""),
});
export const Slug = z.strictObject({ slug: z.string().min(1).max(200) });
/** `has` is the digest of the text that a page shows. */
export const ReadBlog = Slug.extend({ has: z.string().max(20).optional() });
/** What a device keeps at most (src/client/worker), by its addresses. */
export const KeptSlugs = z.strictObject({ slugs: z.array(Slug.shape.slug).max(30) });
export const BlogId = z.strictObject({ id: Id });
/** `begun`: only where it was begun and never saved. */
export const RemoveBlog = z.strictObject({ id: Id, begun: z.boolean().default(false) });

export const Tag = z
  .string()
  .max(200)
  .transform((value) => withoutUnseen(value.toWellFormed().normalize("NFC")).trim().toLowerCase())
  .refine(isSeen, "A tag can't be empty.")
  .refine((value) => !hasPile(value), "A tag has too many accents on one letter. Please remove some.")
  .refine(
    (value) => [...value].length <= limits.tags.length,
    `A tag can have up to ${limits.tags.length} characters.`,
  )
  .refine((value) => !/[\s\p{Cc}]/u.test(value), "A tag can’t have spaces.");
/** A page of what has a tag. */
export const ListTagged = z.strictObject({ tag: Tag, ...ListBlogs.shape });
export const Tags = z
  .array(Tag)
  .max(100)
  .transform((tags) => [...new Set(tags)])
  .refine((tags) => tags.length <= limits.tags.max, messages.tagLimit);

/** An address of the author's own. An id's form is kept for ids. */
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

/** Where it appeared first, as the web writes it; empty for nowhere else. */
const CanonicalUrl = z
  .string()
  .max(10_000)
  .transform((value) => (value.trim() === "" ? "" : webAddress(value.trim())))
  .refine((value) => value !== null, "Enter the full address, such as https://example.org/a-text.")
  .refine(
    (value) => (value ?? "").length <= searchLimits.canonicalUrl,
    `An address elsewhere has at most ${searchLimits.canonicalUrl} characters.`,
  )
  .transform((value) => value ?? "");

/** What a text is written in, by the tag that HTML has for it; empty: it is guessed. */
export const Language = z
  .string()
  .max(200)
  .transform((value) => (value.trim() === "" ? "" : languageTag(value.trim())))
  .refine((value) => value !== null, "Please name the language by its tag, such as en or pt-BR.")
  .transform((value) => value ?? "");

const notPercent = "The focus of a cover is {x, y}: whole numbers from 0 to 100, in percent.";
const Percent = z.number(notPercent).int(notPercent).min(0, notPercent).max(100, notPercent);

/** The point of a cover that stays in view; null, as its middle is too, for its middle. */
export const CoverFocus = z
  .strictObject({ x: Percent, y: Percent }, notPercent)
  .nullable()
  .transform((point) => (point?.x === 50 && point.y === 50 ? null : point));

const fields = {
  title: line(limits.title.max, "The title").refine(isSeen, "Please give your blog a title."),
  description: lines(limits.description.max, "The description"),
  tags: Tags,
  /** A ProseMirror document as JSON; checked against the schema by the service. */
  document: z.unknown(),
  coverId: Id.nullable(),
  coverFocus: CoverFocus,
  draft: z.boolean(),
  private: z.boolean(),
  canonicalUrl: CanonicalUrl,
  searchTitle: line(searchLimits.title, "The title for search engines"),
  searchDescription: line(searchLimits.description, "The description for search engines"),
  language: Language,
  /** When a draft is to be published by itself; null takes that back. */
  schedule: z
    .strictObject({
      at: z.iso.datetime({ offset: true, error: "That’s not a valid time." }),
      zone: NamedZone,
    })
    .nullable(),
};

export const NewBlog = z.strictObject({
  /** Made by the client, so that a retry makes no second blog. */
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
  /** Without one the title makes it. */
  slug: OwnSlug.optional(),
  schedule: fields.schedule.optional(),
});
/** What is missing stays as it is. */
export const BlogUpdate = z.strictObject({
  id: Id,
  title: fields.title.optional(),
  description: fields.description.optional(),
  tags: fields.tags.optional(),
  document: fields.document.optional(),
  coverId: fields.coverId.optional(),
  /** Without one another cover begins at its middle. */
  coverFocus: fields.coverFocus.optional(),
  draft: fields.draft.optional(),
  private: fields.private.optional(),
  canonicalUrl: fields.canonicalUrl.optional(),
  searchTitle: fields.searchTitle.optional(),
  searchDescription: fields.searchDescription.optional(),
  language: fields.language.optional(),
  slug: OwnSlug.optional(),
  schedule: fields.schedule.optional(),
  /** The version that the change was made on: where another stands, nothing is changed. */
  version: z.number().int().min(1).optional(),
  /** The revision that it takes up again. */
  restores: Id.optional(),
});
