import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { blogs } from "./blogs.ts";
import { time } from "./columns.ts";
import { users } from "./profiles.ts";

export const blogLikes = sqliteTable(
  "blog_likes",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.userId] }),
    index("blog_likes_user").on(table.userId, table.createdAt, table.blogId),
    index("blog_likes_time").on(table.blogId, table.createdAt, table.userId),
  ],
);

export const blogSaves = sqliteTable(
  "blog_saves",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.userId] }),
    index("blog_saves_user").on(table.userId, table.createdAt, table.blogId),
    index("blog_saves_time").on(table.blogId, table.createdAt, table.userId),
  ],
);
