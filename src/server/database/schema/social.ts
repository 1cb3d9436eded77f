import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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

/** Where people stopped reading; private. */
export const readingPositions = sqliteTable(
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

export const follows = sqliteTable(
  "follows",
  {
    followerId: text("follower_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    followedId: text("followed_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.followedId] }),
    index("follows_followed").on(table.followedId, table.createdAt, table.followerId),
    index("follows_follower").on(table.followerId, table.createdAt, table.followedId),
    check("follows_others", sql`follower_id <> followed_id`),
  ],
);

/** Requests to follow private accounts. */
export const followRequests = sqliteTable(
  "follow_requests",
  {
    requesterId: text("requester_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.requesterId, table.ownerId] }),
    index("follow_requests_owner").on(table.ownerId, table.createdAt, table.requesterId),
  ],
);

/** Recently rejected requests, for undo. */
export const rejectedRequests = sqliteTable(
  "rejected_requests",
  {
    requesterId: text("requester_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    askedAt: time("asked_at").notNull(),
    rejectedAt: time("rejected_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.requesterId, table.ownerId] }),
    index("rejected_requests_owner").on(table.ownerId),
    index("rejected_requests_time").on(table.rejectedAt),
  ],
);
