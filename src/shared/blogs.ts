import { z } from "zod";
import { limits } from "./limits.ts";
import { messages } from "./errors.ts";
import { hasPile, isSeen, withoutUnseen } from "./plain-text.ts";
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
  liked: boolean;
  saved: boolean;
}

/** A blog as read: its HTML passed through the document schema. `cursor` is where its live stream goes on. */
export interface BlogPage extends BlogCard {
  html: string;
  editedAt: string | null;
  createdAt: string;
  mine: boolean;
  /** Why moderators took it back; its author alone reads it then. */
  hiddenFor: string | null;
  commentsFrom: Commenters;
  follow: FollowStatus;
  cursor: string;
}

/** Who may comment beside the author, of those who may read it; `approved` is everyone, whose comments wait until the author lets them in. */
export const commenters = ["everyone", "approved", "followers", "nobody"] as const;
export type Commenters = (typeof commenters)[number];
export const SetCommenters = z.strictObject({ id: Id, commentsFrom: z.enum(commenters) });

/** A blog as its author edits it: the ProseMirror document as JSON. */
export interface EditableBlog {
  id: string;
  slug: string;
  /** Counts its changes: a save names the one that it was written on. */
  version: number;
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  draft: boolean;
  private: boolean;
  document: unknown;
  updatedAt: string;
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
export const ListByAuthor = z.strictObject({
  username: z.string().min(1).max(100),
  tab: z
    .enum(["blogs", "saved-blogs", "liked-blogs", "draft-blogs", "private-blogs"] satisfies ProfileTab[])
    .default("blogs"),
  page: PageNumber.default(1),
});
export const MyBlogs = z.strictObject({ page: PageNumber.default(1) });
export const Slug = z.strictObject({ slug: z.string().min(1).max(200) });
/** What a device keeps at most (src/client/worker), by its addresses. */
export const KeptSlugs = z.strictObject({ slugs: z.array(Slug.shape.slug).max(30) });
export const BlogId = z.strictObject({ id: Id });

export const Tag = z
  .string()
  .max(200)
  .transform((value) => withoutUnseen(value.toWellFormed().normalize("NFC")).trim().toLowerCase())
  .refine(isSeen, "A tag can't be empty.")
  .refine((value) => !hasPile(value), "A tag has too many marks on one letter. Please take some away.")
  .refine(
    (value) => [...value].length <= limits.tags.length,
    `A tag has at most ${limits.tags.length} characters.`,
  )
  .refine((value) => !/[\s\p{Cc}]/u.test(value), "A tag has no spaces.");
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
    `An address has ${slugHint.toLowerCase()}`,
  )
  .refine(
    (value) => value.length <= limits.slug.max,
    `An address has at most ${limits.slug.max} characters.`,
  );

const fields = {
  title: line(limits.title.max, "The title").refine(isSeen, "Please give your blog a title."),
  description: lines(limits.description.max, "The description"),
  tags: Tags,
  /** A ProseMirror document as JSON; checked against the schema by the service. */
  document: z.unknown(),
  coverId: Id.nullable(),
  draft: z.boolean(),
  private: z.boolean(),
};

export const NewBlog = z.strictObject({
  /** Made by the client, so that a retry makes no second blog. */
  id: Id,
  title: fields.title,
  description: fields.description.default(""),
  tags: fields.tags.default([]),
  document: fields.document,
  coverId: fields.coverId.default(null),
  draft: fields.draft.default(false),
  private: fields.private.default(false),
  /** Without one the title makes it. */
  slug: OwnSlug.optional(),
});
/** What is missing stays as it is. */
export const BlogUpdate = z.strictObject({
  id: Id,
  title: fields.title.optional(),
  description: fields.description.optional(),
  tags: fields.tags.optional(),
  document: fields.document.optional(),
  coverId: fields.coverId.optional(),
  draft: fields.draft.optional(),
  private: fields.private.optional(),
  slug: OwnSlug.optional(),
  /** The version that the change was made on: where another stands, nothing is changed. */
  version: z.number().int().min(1).optional(),
});
