import { commenters } from "../../../shared/blogs.ts";
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
    coverId: text("cover_id").references(() => media.id, { onDelete: "set null" }),
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
    /** Counts saves of the form, so that two tabs notice each other. */
    version: integer("version").notNull().default(1),
    createdAt: time("created_at").notNull(),
    /** When it was published, the last time if it was a draft in between; a draft's is the time of its last save, so that lists sort on one column. */
    publishedAt: time("published_at").notNull(),
    editedAt: time("edited_at"),
    /** Why moderators took it back: it is a draft until they let it be published again. */
    hiddenFor: text("hidden_for"),
  },
  (table) => [
    index("blogs_hidden")
      .on(table.number)
      .where(sql`hidden_for is not null`),
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
    index("blogs_cover").on(table.coverId),
    check("blogs_tags", sql`json_valid(tags)`),
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

/** What was brought in from elsewhere, so that a second import takes nothing twice. */
export const imports = sqliteTable(
  "imports",
  {
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The source's own name of it: the path in its front matter, or its file. */
    source: text("source").notNull(),
    blogId: text("blog_id").references(() => blogs.id, { onDelete: "set null" }),
    importedAt: time("imported_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.authorId, table.source] }),
    index("imports_blog").on(table.blogId),
  ],
);
