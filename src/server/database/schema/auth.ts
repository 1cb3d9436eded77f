import { users } from "./profiles.ts";
import { defineTable, index, text, time } from "./columns.ts";

export const sessions = defineTable(
  "sessions",
  {
    /** SHA-256 of the session's id: a leaked database holds no credential. */
    hash: text("hash").primaryKey(),
    /** Public: names the session in tabs and settings, authenticates nothing. */
    handle: text("handle").notNull().unique(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    userAgent: text("user_agent").notNull().default(""),
    createdAt: time("created_at").notNull(),
    seenAt: time("seen_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    index("sessions_user").on(table.userId, table.seenAt),
    index("sessions_expiry").on(table.expiresAt),
  ],
);
