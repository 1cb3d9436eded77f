import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { WritingFields } from "../../../shared/writing.ts";
import { blogs } from "./blogs.ts";
import { time } from "./columns.ts";
import { media } from "./media.ts";
import { users } from "./users.ts";

/** What is being written, a row for a blog that somebody has written in since it was saved last. */
export const writings = sqliteTable(
  "writings",
  {
    blogId: text("blog_id")
      .primaryKey()
      .references(() => blogs.id, { onDelete: "cascade" }),
    /** The last commit, and a name that no other one ever had. */
    seq: integer("seq").notNull(),
    head: text("head").notNull(),
    fields: text("fields", { mode: "json" }).$type<WritingFields>().notNull(),
    /** The document as it was after this commit, JSON: what came since is in the commits. */
    document: text("document").notNull(),
    documentSeq: integer("document_seq").notNull(),
    /** The commit that the blog says. */
    savedSeq: integer("saved_seq").notNull(),
    /** The title that the address was made of; null where somebody chose it, or may know it. */
    namedFor: text("named_for"),
    changedAt: time("changed_at").notNull(),
    /** Whose new blog it is, until they have saved it. */
    begunBy: text("begun_by").references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("writings_begun")
      .on(table.begunBy, table.changedAt)
      .where(sql`begun_by is not null`),
  ],
);

export const writingCommits = sqliteTable(
  "writing_commits",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => writings.blogId, { onDelete: "cascade" }),
    seq: integer("seq").notNull(),
    /** Who sent it, and as the how many of theirs: sent again it is known. */
    client: text("client").notNull(),
    number: integer("number").notNull(),
    authorId: text("author_id").references(() => users.id, { onDelete: "set null" }),
    steps: text("steps", { mode: "json" }).$type<unknown[]>().notNull(),
    fields: text("fields", { mode: "json" }).$type<Partial<WritingFields>>().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.seq] }),
    uniqueIndex("writing_commits_client").on(table.blogId, table.client, table.number),
    index("writing_commits_author").on(table.authorId),
    index("writing_commits_old").on(table.createdAt),
  ],
);

/** Which pictures a text shows that is not saved yet, and its cover: they stay while it is written. */
export const writingMedia = sqliteTable(
  "writing_media",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => writings.blogId, { onDelete: "cascade" }),
    mediaId: text("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.mediaId] }),
    index("writing_media_media").on(table.mediaId),
  ],
);
