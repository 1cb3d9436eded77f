import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { notificationKinds } from "../../../shared/social.ts";
import { blogs } from "./blogs.ts";
import { number, time } from "./columns.ts";
import { comments } from "./comments.ts";
import { users } from "./users.ts";

export const notifications = sqliteTable(
  "notifications",
  {
    number: number(),
    id: text("id").notNull().unique(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: notificationKinds }).notNull(),
    actorId: text("actor_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blogId: text("blog_id").references(() => blogs.id, { onDelete: "cascade" }),
    commentId: text("comment_id").references(() => comments.id, { onDelete: "cascade" }),
    /** Rows with the same target are shown as one. */
    target: text("target").notNull(),
    createdAt: time("created_at").notNull(),
    readAt: time("read_at"),
  },
  (table) => [
    index("notifications_user").on(table.userId, table.createdAt, table.id),
    index("notifications_unread")
      .on(table.userId, table.kind, table.target, table.blogId)
      .where(sql`read_at is null`),
    uniqueIndex("notifications_once").on(table.userId, table.kind, table.actorId, table.target),
    index("notifications_blog").on(table.blogId),
    index("notifications_comment").on(table.commentId),
    index("notifications_actor").on(table.actorId),
  ],
);
