import { sql } from "drizzle-orm";
import { subscriptionLevels } from "../../../shared/notification-inputs.ts";
import {
  notificationTopicNames,
  emailFrequencies,
  notificationKindNames,
} from "../../../shared/notifications.ts";
import { blogs } from "./blogs.ts";
import { comments } from "./comments.ts";
import { users } from "./profiles.ts";
import { defineTable, flag, index, integer, primaryKey, seq, text, time, uniqueIndex } from "./columns.ts";

export const notifications = defineTable(
  "notifications",
  {
    seq: seq(),
    id: text("id").notNull().unique(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: notificationKindNames }).notNull(),
    actorId: text("actor_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blogId: text("blog_id").references(() => blogs.id, { onDelete: "cascade" }),
    commentId: text("comment_id").references(() => comments.id, { onDelete: "cascade" }),
    /** Rows with the same target are shown as one. */
    target: text("target").notNull(),
    createdAt: time("created_at").notNull(),
    readAt: time("read_at"),
    /** Until when the row that this one replaced had been read. */
    readThrough: time("read_through"),
    /** The number of the first comment of this row. */
    firstComment: integer("first_comment"),
  },
  (table) => [
    index("notifications_user").on(table.userId, table.createdAt, table.id),
    uniqueIndex("notifications_once").on(table.userId, table.kind, table.actorId, table.target),
    index("notifications_blog").on(table.blogId),
    index("notifications_comment").on(table.commentId),
    index("notifications_actor").on(table.actorId),
    index("notifications_unread")
      .on(table.userId, table.kind, table.target, table.blogId)
      .where(sql`read_at is null`),
    index("notifications_age").on(table.createdAt),
  ],
);

/** The channels that a person chose for a topic; without a row those of `defaultChannels`. */
export const notificationSettings = defineTable(
  "notification_settings",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    topic: text("topic", { enum: notificationTopicNames }).notNull(),
    page: flag("page").notNull(),
    push: flag("push").notNull(),
    mail: text("mail", { enum: emailFrequencies }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.topic] })],
);

/** A person's notification emails of one frequency. */
export const notificationEmails = defineTable(
  "notification_emails",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    frequency: text("frequency", { enum: emailFrequencies }).notNull(),
    /** The queued email covers what came since; both null when none is queued. */
    since: time("since"),
    dueAt: time("due_at"),
    sentAt: time("sent_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.frequency] })],
);

/** Blogs whose comments a person follows or mutes. */
export const blogSubscriptions = defineTable(
  "blog_subscriptions",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    level: text("level", { enum: subscriptionLevels }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.blogId] }),
    index("blog_subscriptions_blog").on(table.blogId, table.level, table.userId),
  ],
);
