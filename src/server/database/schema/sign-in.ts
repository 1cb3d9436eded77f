import { users } from "./profiles.ts";
import { defineTable, index, integer, primaryKey, text, time } from "./columns.ts";

/** Browsers that signed in before: others' wrong passwords do not lock them out. */
export const knownBrowsers = defineTable(
  "known_browsers",
  {
    /** SHA-256 of its cookie. */
    hash: text("hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    seenAt: time("seen_at").notNull(),
  },
  (table) => [index("known_browsers_user").on(table.userId, table.seenAt)],
);

/** Authenticator apps (TOTP, RFC 6238). */
export const authenticators = defineTable("authenticators", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Sealed with the site's secret. */
  secret: text("secret").notNull(),
  /** When its first code was entered; before that none is required. */
  confirmedAt: time("confirmed_at"),
  /** The newest half-minute step used: no code works twice. */
  usedStep: integer("used_step").notNull().default(0),
  createdAt: time("created_at").notNull(),
});

/** For an account whose app or device was lost; each works once. */
export const recoveryCodes = defineTable(
  "recovery_codes",
  {
    /** SHA-256 of the code and the account's id. */
    hash: text("hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Null if not recorded. */
    createdAt: time("created_at"),
  },
  (table) => [index("recovery_codes_user").on(table.userId)],
);

/** WebAuthn credentials; they sign in without a password. */
export const passkeys = defineTable(
  "passkeys",
  {
    /** The credential id, in base64url. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Chosen by the owner. */
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

/** Links for sign-up by invitation. */
export const invitations = defineTable(
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
export const signupRequests = defineTable(
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
export const signupBlocks = defineTable(
  "signup_blocks",
  {
    kind: text("kind", { enum: ["domain", "network"] }).notNull(),
    value: text("value").notNull(),
    author: text("author").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.value] })],
);
