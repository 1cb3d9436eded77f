import { sql } from "drizzle-orm";
import { users } from "./profiles.ts";
import { blogs } from "./blogs.ts";
import { defineTable, flag, index, primaryKey, text, time } from "./columns.ts";

/**
 * Accepted and invited co-authors, without the owner (`blogs.author_id`). Triggers copy the columns for paging.
 */
export const blogAuthors = defineTable(
  "blog_authors",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    invitedAt: time("invited_at").notNull(),
    /** Null while invited. */
    acceptedAt: time("accepted_at"),
    draft: flag("draft").notNull().default(true),
    private: flag("private").notNull().default(false),
    isPublic: flag("is_public").notNull().default(false),
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
