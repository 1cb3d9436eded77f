import { sql } from "drizzle-orm";
import { reportedKinds } from "../../../shared/moderation.ts";
import { blogs } from "./blogs.ts";
import { comments } from "./comments.ts";
import { users } from "./profiles.ts";
import { defineTable, index, seq, text, time, uniqueIndex } from "./columns.ts";

/** Reports; deleted with what they report. */
export const reports = defineTable(
  "reports",
  {
    id: text("id").primaryKey(),
    reporterId: text("reporter_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** `target` is the id of a blog, comment or person; `ownerId` is its author. */
    kind: text("kind", { enum: reportedKinds }).notNull(),
    target: text("target").notNull(),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blogId: text("blog_id").references(() => blogs.id, { onDelete: "cascade" }),
    commentId: text("comment_id").references(() => comments.id, { onDelete: "cascade" }),
    reason: text("reason").notNull(),
    body: text("body").notNull().default(""),
    /** What was reported, as the reporter saw it: a title, a comment's text or a bio, and how a blog's text begins. */
    text: text("text").notNull().default(""),
    beginning: text("beginning").notNull().default(""),
    createdAt: time("created_at").notNull(),
    /** Null while open. */
    closedAt: time("closed_at"),
  },
  (table) => [
    index("reports_open")
      .on(table.createdAt, table.target)
      .where(sql`closed_at is null`),
    uniqueIndex("reports_once")
      .on(table.target, table.reporterId)
      .where(sql`closed_at is null`),
    index("reports_reporter").on(table.reporterId),
    index("reports_owner").on(table.ownerId),
    index("reports_blog").on(table.blogId),
    index("reports_comment").on(table.commentId),
  ],
);

/** Notes about a person; they outlive their moderator's account. */
export const staffNotes = defineTable(
  "staff_notes",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The moderator's name then. */
    author: text("author").notNull(),
    authorId: text("author_id").references(() => users.id, { onDelete: "set null" }),
    body: text("body").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("staff_notes_of").on(table.userId, table.createdAt),
    index("staff_notes_author").on(table.authorId),
  ],
);

/**
 * Moderators' actions. Triggers forbid changes. Once the target is deleted for good, they empty `name`, and of a person
 * `reason`.
 */
export const auditLog = defineTable(
  "audit_log",
  {
    seq: seq(),
    at: time("at").notNull(),
    actorId: text("actor_id").notNull(),
    actor: text("actor").notNull(),
    act: text("act").notNull(),
    kind: text("kind", { enum: [...reportedKinds, "site"] }).notNull(),
    target: text("target").notNull(),
    /** A title, the first words, or a username. */
    name: text("name").notNull(),
    reason: text("reason").notNull().default(""),
  },
  (table) => [index("audit_log_target").on(table.target)],
);
