import { sql } from "drizzle-orm";
import { commentMarks } from "../../../shared/comments.ts";
import { blogs } from "./blogs.ts";
import { users } from "./profiles.ts";
import {
  type AnyColumn,
  defineTable,
  flag,
  index,
  integer,
  primaryKey,
  seq,
  text,
  time,
  uniqueIndex,
} from "./columns.ts";

export const comments = defineTable(
  "comments",
  {
    seq: seq(),
    id: text("id").notNull().unique(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    parentId: text("parent_id").references((): AnyColumn => comments.id, { onDelete: "cascade" }),
    rootId: text("root_id").notNull(),
    /** Null when only replies of others remain. */
    authorId: text("author_id").references(() => users.id, { onDelete: "set null" }),
    /** An imported guest's name. */
    guestName: text("guest_name"),
    text: text("text").notNull(),
    likesCount: integer("likes_count").notNull().default(0),
    createdAt: time("created_at").notNull(),
    editedAt: time("edited_at"),
    deletedAt: time("deleted_at"),
    /** Set by the blog's author; one is pinned first, others are folded away. */
    mark: text("mark", { enum: commentMarks }),
  },
  (table) => [
    index("comments_top")
      .on(table.blogId, table.createdAt, table.id)
      .where(sql`parent_id is null`),
    index("comments_thread").on(table.rootId, table.createdAt, table.id),
    index("comments_parent").on(table.parentId),
    index("comments_blog").on(table.blogId),
    uniqueIndex("comments_pinned")
      .on(table.blogId)
      .where(sql`mark = 'pinned'`),
    index("comments_author").on(table.authorId, table.blogId),
    index("comments_written").on(table.authorId, table.seq),
  ],
);

/** Comments that await the blog author's approval; only author and writer see them. */
export const pendingComments = defineTable(
  "pending_comments",
  {
    id: text("id").primaryKey(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    parentId: text("parent_id").references(() => comments.id, { onDelete: "cascade" }),
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    text: text("text").notNull(),
    createdAt: time("created_at").notNull(),
    /** The account's first comment with a link: moderators can approve it, too. */
    forLink: flag("for_link").notNull().default(false),
  },
  (table) => [
    index("pending_comments_blog").on(table.blogId, table.createdAt, table.id),
    index("pending_comments_author").on(table.authorId, table.blogId),
    index("pending_comments_parent").on(table.parentId),
    index("pending_comments_link")
      .on(table.createdAt, table.id)
      .where(sql`for_link = 1`),
  ],
);

export const commentLikes = defineTable(
  "comment_likes",
  {
    commentId: text("comment_id")
      .notNull()
      .references(() => comments.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.commentId, table.userId] }),
    index("comment_likes_user").on(table.userId, table.commentId),
    index("comment_likes_time").on(table.commentId, table.createdAt, table.userId),
  ],
);
