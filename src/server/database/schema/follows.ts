import { sql } from "drizzle-orm";
import { users } from "./profiles.ts";
import { check, defineTable, index, primaryKey, text, time } from "./columns.ts";

export const follows = defineTable(
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
export const followRequests = defineTable(
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
export const rejectedRequests = defineTable(
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
