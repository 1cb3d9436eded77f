import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sessions } from "./auth.ts";
import { time } from "./columns.ts";
import { users } from "./users.ts";

/** Browsers that receive push notifications while no page is open: each goes with the session that asked for it. */
export const pushSubscriptions = sqliteTable(
  "push_subscriptions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The session's public handle, which stays when its secret is renewed: that ends the subscription. */
    session: text("session")
      .notNull()
      .unique()
      .references(() => sessions.handle, { onDelete: "cascade" }),
    /** Where the browser's push service takes what is for it. */
    endpoint: text("endpoint").notNull().unique(),
    /** What it is encrypted for. */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** What may be shown there still: the notification, and the name under which it is shown. */
    told: text("told", { mode: "json" }).$type<{ id: string; tag: string }[]>().notNull().default([]),
    /**
     * Since when its push service knows it no more, or its session has another secret: nothing is sent there, and the browser may
     * renew it.
     */
    goneAt: time("gone_at"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [index("push_subscriptions_user").on(table.userId, table.createdAt)],
);
