import { sessions } from "./auth.ts";
import { users } from "./profiles.ts";
import { defineTable, index, text, time } from "./columns.ts";

/** Browsers with push notifications; each ends with its session. */
export const pushSubscriptions = defineTable(
  "push_subscriptions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The session's public handle, which survives a new secret. */
    session: text("session")
      .notNull()
      .unique()
      .references(() => sessions.handle, { onDelete: "cascade" }),
    /** Where the push service accepts messages. */
    endpoint: text("endpoint").notNull().unique(),
    /** Encryption keys of the browser. */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** Notifications that may still be shown there, with their tags. */
    displayed: text("displayed", { mode: "json" })
      .$type<{ id: string; tag: string }[]>()
      .notNull()
      .default([]),
    /**
     * Since when its push service rejects it, or its session has a new secret: nothing is sent, but the browser can renew it.
     */
    goneAt: time("gone_at"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [index("push_subscriptions_user").on(table.userId, table.createdAt)],
);
