import { sql } from "drizzle-orm";
import { check, index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "./columns.ts";
import { users } from "./profiles.ts";

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
