import { blogs } from "./blogs.ts";
import { users } from "./profiles.ts";
import { defineTable, index, primaryKey, text, time } from "./columns.ts";

export const blogLikes = defineTable(
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

export const blogSaves = defineTable(
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
