import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "./columns.ts";
import { users } from "./profiles.ts";

/** Links for sign-up by invitation. */
export const invitations = sqliteTable(
  "invitations",
  {
    code: text("code").primaryKey(),
    /** How many accounts it allows, and has made. */
    places: integer("places").notNull(),
    used: integer("used").notNull().default(0),
    createdAt: time("created_at").notNull(),
    /** Null: never. */
    expiresAt: time("expires_at"),
  },
  (table) => [index("invitations_created").on(table.createdAt)],
);

/** Verified sign-ups awaiting approval; invisible until then. */
export const signupRequests = sqliteTable(
  "signup_requests",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    answer: text("answer").notNull(),
    requestedAt: time("requested_at").notNull(),
  },
  (table) => [index("signup_requests_waiting").on(table.requestedAt, table.userId)],
);

/** Email domains, with subdomains, and networks that cannot sign up. */
export const signupBlocks = sqliteTable(
  "signup_blocks",
  {
    kind: text("kind", { enum: ["domain", "network"] }).notNull(),
    value: text("value").notNull(),
    author: text("author").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.value] })],
);
