import { commenters, type CoverPoint } from "../../../shared/blogs.ts";
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, number, time } from "./columns.ts";
import { media } from "./media.ts";
import { users } from "./users.ts";

export const blogs = sqliteTable(
  "blogs",
  {
    number: number(),
    id: text("id").notNull().unique(),
    slug: text("slug").notNull().unique(),
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Where it appeared first, if elsewhere; what search engines show in place of its title and description. Empty: nothing of it. */
    canonicalUrl: text("canonical_url").notNull().default(""),
    searchTitle: text("search_title").notNull().default(""),
    searchDescription: text("search_description").notNull().default(""),
    /** What it is written in, as its author says; empty: as it was guessed of the text, which may be empty too. */
    language: text("language").notNull().default(""),
    guessedLanguage: text("guessed_language").notNull().default(""),
    coverId: text("cover_id").references(() => media.id, { onDelete: "set null" }),
    /** Which point of it stays in view where it is cropped; null: its middle. */
    coverFocus: text("cover_focus", { mode: "json" }).$type<CoverPoint>(),
    /** The ProseMirror document as JSON, and what is derived from it at every write. */
    document: text("document", { mode: "json" }).$type<unknown>().notNull(),
    html: text("html").notNull(),
    text: text("text").notNull(),
    excerpt: text("excerpt").notNull(),
    words: integer("words").notNull(),
    readingMinutes: integer("reading_minutes").notNull(),
    draft: flag("draft").notNull(),
    private: flag("private").notNull(),
    /** Whether everybody may read it, by the two above and by its author's account: the store keeps it (migration 0008). */
    open: flag("open").notNull().default(true),
    /** Who may comment, beside its author, of those who may read it. */
    commentsFrom: text("comments_from", { enum: commenters }).notNull().default("everyone"),
    likesCount: integer("likes_count").notNull().default(0),
    commentsCount: integer("comments_count").notNull().default(0),
    savesCount: integer("saves_count").notNull().default(0),
    /** Counts saves of the form, so that each of two tabs notices those of the other. */
    version: integer("version").notNull().default(1),
    createdAt: time("created_at").notNull(),
    /** When it was published, the last time if it was a draft in between; a draft's is the time of its last save, so that lists sort on one column. */
    publishedAt: time("published_at").notNull(),
    editedAt: time("edited_at"),
    /** Why moderators took it down: it is a draft until they restore it. */
    takedownReason: text("hidden_for"),
    /** Since when readers see it as it is written, while they do. */
    liveSince: time("live_since"),
  },
  (table) => [
    index("blogs_hidden")
      .on(table.number)
      .where(sql`hidden_for is not null`),
    // What moderators find: published for everybody as far as the blog itself says, or taken back.
    index("blogs_staff")
      .on(table.publishedAt, table.id, table.draft, table.authorId)
      .where(sql`(draft = 0 and private = 0) or hidden_for is not null`),
    // Who may read a row stands in the index of each long list: its pages are counted off without a look at any blog.
    index("blogs_latest")
      .on(table.publishedAt, table.id, table.open, table.authorId)
      .where(sql`draft = 0`),
    index("blogs_liked")
      .on(table.likesCount, table.publishedAt, table.id, table.open, table.authorId)
      .where(sql`draft = 0`),
    index("blogs_written").on(
      table.authorId,
      table.publishedAt,
      table.id,
      table.draft,
      table.private,
      table.open,
    ),
    // What a search finds by number is narrowed and put in order without a look at the texts.
    index("blogs_found")
      .on(table.number, table.open, table.authorId, table.publishedAt, table.id)
      .where(sql`draft = 0`),
    index("blogs_author").on(table.authorId, table.draft, table.private, table.publishedAt, table.id),
    // What is told to search engines: a part of it is a stretch of this, without a look at any blog.
    index("blogs_mapped")
      .on(table.number, table.slug, table.publishedAt, table.editedAt, table.authorId)
      .where(sql`open = 1`),
    index("blogs_cover").on(table.coverId),
    check("blogs_tags", sql`json_valid(tags)`),
  ],
);

/** The tags of what is published, with what a tag's lists are counted off by: the store keeps it (migration 0029). */
export const blogTags = sqliteTable(
  "blog_tags",
  {
    /** The blog's. */
    number: integer("number")
      .notNull()
      .references(() => blogs.number, { onDelete: "cascade" }),
    tag: text("tag").notNull(),
    authorId: text("author_id").notNull(),
    open: flag("open").notNull(),
    likesCount: integer("likes_count").notNull(),
    publishedAt: time("published_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.number, table.tag] }),
    index("blog_tags_latest").on(table.tag, table.publishedAt, table.number, table.open, table.authorId),
    index("blog_tags_liked").on(
      table.tag,
      table.likesCount,
      table.publishedAt,
      table.number,
      table.open,
      table.authorId,
    ),
  ],
);

/**
 * Who writes a blog beside its owner (`blogs.author_id`), and whom the owner has invited to. What their lists are counted off by stands here
 * too, as long as they write it: the store keeps it (migration 0036).
 */
export const blogAuthors = sqliteTable(
  "blog_authors",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    invitedAt: time("invited_at").notNull(),
    /** Null while they are invited. */
    acceptedAt: time("accepted_at"),
    draft: flag("draft").notNull().default(true),
    private: flag("private").notNull().default(false),
    open: flag("open").notNull().default(false),
    publishedAt: time("published_at").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.userId] }),
    index("blog_authors_joined")
      .on(table.blogId, table.acceptedAt, table.userId)
      .where(sql`accepted_at is not null`),
    index("blog_authors_written")
      .on(table.userId, table.publishedAt, table.blogId, table.draft, table.private)
      .where(sql`accepted_at is not null`),
    index("blog_authors_invited")
      .on(table.userId, table.invitedAt, table.blogId)
      .where(sql`accepted_at is null`),
  ],
);

/** Addresses a blog had before its author changed them: they redirect. */
export const oldSlugs = sqliteTable(
  "old_slugs",
  {
    slug: text("slug").primaryKey(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
  },
  (table) => [index("old_slugs_blog").on(table.blogId)],
);

/** Paths that a blog had on another site, as `plainPath` writes them: they redirect where nothing of ours answers. */
export const aliases = sqliteTable(
  "aliases",
  {
    path: text("path").primaryKey(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
  },
  (table) => [index("aliases_blog").on(table.blogId)],
);

/** When a draft is to be published by itself; `private` of the blog says for whom. */
export const schedules = sqliteTable("schedules", {
  blogId: text("blog_id")
    .primaryKey()
    .references(() => blogs.id, { onDelete: "cascade" }),
  publishAt: time("publish_at").notNull(),
  /** Where its author chose that time, as the IANA calls it: they are told of it as clocks go there. */
  zone: text("zone").notNull(),
  /** What waits to do it. */
  jobId: text("job_id").notNull(),
  createdAt: time("created_at").notNull(),
});

/** Which pictures a blog's text shows, so that a picture nobody shows any more can go. */
export const blogMedia = sqliteTable(
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
