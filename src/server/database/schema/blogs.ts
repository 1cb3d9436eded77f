import { commenters, type CoverPoint } from "../../../shared/blogs.ts";
import { sql } from "drizzle-orm";
import { media } from "./media.ts";
import { users } from "./profiles.ts";
import { check, defineTable, flag, index, integer, isJson, primaryKey, seq, text, time } from "./columns.ts";

export const blogs = defineTable(
  "blogs",
  {
    seq: seq(),
    id: text("id").notNull().unique(),
    slug: text("slug").notNull().unique(),
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Where it first appeared, if elsewhere, and its texts in search engines; may be empty. */
    canonicalUrl: text("canonical_url").notNull().default(""),
    searchTitle: text("search_title").notNull().default(""),
    searchDescription: text("search_description").notNull().default(""),
    /** The author's choice; empty: the guess, which may be empty too. */
    language: text("language").notNull().default(""),
    guessedLanguage: text("guessed_language").notNull().default(""),
    coverId: text("cover_id").references(() => media.id, { onDelete: "set null" }),
    /** The point that stays in view when cropped; null: the middle. */
    coverFocus: text("cover_focus", { mode: "json" }).$type<CoverPoint>(),
    /** ProseMirror JSON; the next columns are derived at every write. */
    document: text("document", { mode: "json" }).$type<unknown>().notNull(),
    html: text("html").notNull(),
    text: text("text").notNull(),
    excerpt: text("excerpt").notNull(),
    words: integer("words").notNull(),
    readingMinutes: integer("reading_minutes").notNull(),
    draft: flag("draft").notNull(),
    private: flag("private").notNull(),
    /** Public, by `draft`, `private` and the author's account; set by triggers. */
    isPublic: flag("is_public").notNull().default(true),
    /** Who, besides the author, can comment. */
    commentsFrom: text("comments_from", { enum: commenters }).notNull().default("everyone"),
    likesCount: integer("likes_count").notNull().default(0),
    commentsCount: integer("comments_count").notNull().default(0),
    savesCount: integer("saves_count").notNull().default(0),
    /** Counts saves, so that a tab notices those of another. */
    etag: integer("etag").notNull().default(1),
    createdAt: time("created_at").notNull(),
    /** When it was last published; a draft's last save, so that lists sort on one column. */
    publishedAt: time("published_at").notNull(),
    editedAt: time("edited_at"),
    /** Set while moderators have taken it down, which makes it a draft. */
    takedownReason: text("takedown_reason"),
    /** Of a live blog: since when, when it ended if it has, and the points above its entries. */
    liveSince: time("live_since"),
    liveEnded: time("live_ended"),
    summary: text("summary", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Whether other sites may show the live blog in a frame. */
    embeddable: flag("embeddable").notNull().default(false),
  },
  (table) => [
    index("blogs_author").on(table.authorId, table.draft, table.private, table.publishedAt, table.id),
    index("blogs_cover").on(table.coverId),
    index("blogs_written").on(
      table.authorId,
      table.publishedAt,
      table.id,
      table.draft,
      table.private,
      table.isPublic,
    ),
    // Filters and sorts search results without reading texts.
    index("blogs_found")
      .on(table.seq, table.isPublic, table.authorId, table.publishedAt, table.id)
      .where(sql`draft = 0`),
    // Contain the visibility, so that paging reads no blog.
    index("blogs_latest")
      .on(table.publishedAt, table.id, table.isPublic, table.authorId)
      .where(sql`draft = 0`),
    index("blogs_liked")
      .on(table.likesCount, table.publishedAt, table.id, table.isPublic, table.authorId)
      .where(sql`draft = 0`),
    index("blogs_taken_down")
      .on(table.seq)
      .where(sql`takedown_reason is not null`),
    // For moderators: public apart from its account, or taken down.
    index("blogs_staff")
      .on(table.publishedAt, table.id)
      .where(sql`(draft = 0 and private = 0) or takedown_reason is not null`),
    index("blogs_on_air")
      .on(table.liveSince, table.id)
      .where(sql`live_since is not null and live_ended is null and draft = 0`),
    // A part of the site map is a range of this index, which has the columns that are stored after the texts.
    index("blogs_mapped")
      .on(table.seq, table.publishedAt, table.editedAt)
      .where(sql`is_public = 1`),
    check("blogs_tags", sql.raw(isJson("tags"))),
  ],
);

/** Published blogs' tags with the columns for paging; written by triggers. */
export const blogTags = defineTable(
  "blog_tags",
  {
    /** The blog's. */
    blogSeq: integer("blog_seq")
      .notNull()
      .references(() => blogs.seq, { onDelete: "cascade" }),
    tag: text("tag").notNull(),
    authorId: text("author_id").notNull(),
    isPublic: flag("is_public").notNull(),
    likesCount: integer("likes_count").notNull(),
    publishedAt: time("published_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blogSeq, table.tag] }),
    index("blog_tags_latest").on(table.tag, table.publishedAt, table.blogSeq, table.isPublic, table.authorId),
    index("blog_tags_liked").on(
      table.tag,
      table.likesCount,
      table.publishedAt,
      table.blogSeq,
      table.isPublic,
      table.authorId,
    ),
  ],
);

/** Former slugs, which redirect. */
export const oldSlugs = defineTable(
  "old_slugs",
  {
    slug: text("slug").primaryKey(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
  },
  (table) => [index("old_slugs_blog").on(table.blogId)],
);

/** Paths on another site, as `plainPath` writes them: redirects if no route of ours matches. */
export const aliases = defineTable(
  "aliases",
  {
    path: text("path").primaryKey(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
  },
  (table) => [index("aliases_blog").on(table.blogId)],
);

/** Pictures in a blog's text; unused ones are deleted. */
export const blogMedia = defineTable(
  "blog_media",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    mediaId: text("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.mediaId] }),
    index("blog_media_media").on(table.mediaId),
  ],
);

/** Where people stopped reading; private. */
export const readingPositions = defineTable(
  "reading_positions",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    block: integer("block").notNull(),
    words: integer("words").notNull(),
    part: integer("part").notNull(),
    leftAt: time("left_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.blogId] }),
    index("reading_positions_blog").on(table.blogId),
    index("reading_positions_time").on(table.userId, table.leftAt, table.blogId),
  ],
);
