import { sql } from "drizzle-orm";
import { blogs } from "./blogs.ts";
import { media } from "./media.ts";
import { users } from "./profiles.ts";
import { defineTable, flag, index, integer, primaryKey, seq, text, time } from "./columns.ts";

/** Entries of live blogs. */
export const entries = defineTable(
  "entries",
  {
    seq: seq(),
    id: text("id").notNull().unique(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    /** Who posted it; null once the account is gone. */
    authorId: text("author_id").references(() => users.id, { onDelete: "set null" }),
    /** The time that readers see. */
    at: time("at").notNull(),
    title: text("title").notNull(),
    isKey: flag("is_key").notNull(),
    /** Its words, as search finds them: of a very long text without spaces the beginning. Triggers index them. */
    text: text("text").notNull(),
    likesCount: integer("likes_count").notNull().default(0),
    createdAt: time("created_at").notNull(),
    editedAt: time("edited_at"),
    /** Readers do not see it; its author can bring it back. */
    withdrawnAt: time("withdrawn_at"),
    /** ProseMirror JSON; the HTML is derived at every write. */
    document: text("document", { mode: "json" }).$type<unknown>().notNull(),
    html: text("html").notNull(),
  },
  (table) => [
    // Not partial: SQLite would count along another one, reading every row.
    index("entries_shown").on(table.blogId, table.withdrawnAt, table.at, table.id),
    index("entries_key")
      .on(table.blogId, table.withdrawnAt, table.at, table.id)
      .where(sql`is_key = 1`),
    index("entries_author").on(table.authorId),
  ],
);

/** Pictures in an entry's text. */
export const entryMedia = defineTable(
  "entry_media",
  {
    entryId: text("entry_id")
      .notNull()
      .references(() => entries.id, { onDelete: "cascade" }),
    mediaId: text("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.entryId, table.mediaId] }),
    index("entry_media_media").on(table.mediaId),
  ],
);

export const entryLikes = defineTable(
  "entry_likes",
  {
    entryId: text("entry_id")
      .notNull()
      .references(() => entries.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entryId, table.userId] }),
    index("entry_likes_user").on(table.userId, table.entryId),
  ],
);
