import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "./columns.ts";
import { users } from "./users.ts";

/** The app that shows codes for an account (TOTP, RFC 6238). */
export const authenticators = sqliteTable("authenticators", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Sealed with the site's secret. */
  secret: text("secret").notNull(),
  /** When its first code was entered; before that it asks for none. */
  confirmedAt: time("confirmed_at"),
  /** The newest half minute whose code was used: none works twice. */
  usedStep: integer("used_step").notNull().default(0),
  createdAt: time("created_at").notNull(),
});

/** What gets somebody in who has lost the app or the device: each once. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    /** SHA-256 of the code with its account's id. */
    hash: text("hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** When it was made; null where nobody noted it. */
    createdAt: time("created_at"),
  },
  (table) => [index("recovery_codes_user").on(table.userId)],
);

/** Keys that a device keeps for an account (WebAuthn): they sign in by themselves. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** As the device names it, in base64url. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** As its owner calls it. */
    name: text("name").notNull(),
    /** COSE, in base64url. */
    publicKey: text("public_key").notNull(),
    counter: integer("counter").notNull(),
    transports: text("transports", { mode: "json" }).$type<string[]>().notNull().default([]),
    createdAt: time("created_at").notNull(),
    usedAt: time("used_at"),
  },
  (table) => [index("passkeys_user").on(table.userId, table.createdAt)],
);
