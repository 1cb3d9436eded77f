import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  type AnySQLiteColumn,
} from "drizzle-orm/sqlite-core";
import { flag, number, time } from "./columns.ts";
// oxlint-disable-next-line import/no-cycle -- people have pictures and pictures have owners; each asks for the other later
import { media } from "./media.ts";

export const users = sqliteTable(
  "users",
  {
    number: number(),
    id: text("id").notNull().unique(),
    /** Lower case, so that it is unique without regard to case. */
    username: text("username").notNull().unique(),
    /** The username without what the eye passes over (`shared/look-alike.ts`): two that look alike share it. */
    look: text("look").notNull().default(""),
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    bio: text("bio").notNull().default(""),
    /** argon2id; null where the account signs in with Google alone. */
    passwordHash: text("password_hash"),
    googleId: text("google_id").unique(),
    /** When that was linked; null where nobody noted it. */
    googleLinkedAt: time("google_linked_at"),
    pictureId: text("picture_id").references((): AnySQLiteColumn => media.id, { onDelete: "set null" }),
    interests: text("interests", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Words, and tags with `#` before them, that they want to see in no list. */
    mutedWords: text("muted_words", { mode: "json" }).$type<string[]>().notNull().default([]),
    private: flag("private").notNull().default(false),
    showLikedBlogs: flag("show_liked_blogs").notNull().default(true),
    showSavedBlogs: flag("show_saved_blogs").notNull().default(false),
    showFollowers: flag("show_followers").notNull().default(true),
    showPresence: flag("show_presence").notNull().default(true),
    isAdmin: flag("is_admin").notNull().default(false),
    isModerator: flag("is_moderator").notNull().default(false),
    /** May write where administrators choose who does. */
    writer: flag("writer").notNull().default(false),
    /** They have seen, in the list of their notifications, what had come by then; null: never opened. */
    notificationsSeenAt: time("notices_seen_at"),
    /** When they last said that they know of changed terms; null: when they joined. */
    textsSeenAt: time("texts_seen_at"),
    /** Since when moderators have suspended the account, and why. */
    suspendedAt: time("suspended_at"),
    suspensionReason: text("suspended_for"),
    /** Since when only its followers see the account and its content, and why; it is not notified. */
    limitedAt: time("silenced_at"),
    limitReason: text("silenced_for"),
    followersCount: integer("followers_count").notNull().default(0),
    followingCount: integer("following_count").notNull().default(0),
    /** What they wrote, and what it came to: the store keeps it (migration 0008). */
    publicBlogs: integer("public_blogs").notNull().default(0),
    /** Of others, which they write with them and everybody may read. */
    sharedBlogs: integer("shared_blogs").notNull().default(0),
    privateBlogs: integer("private_blogs").notNull().default(0),
    draftBlogs: integer("draft_blogs").notNull().default(0),
    likesReceived: integer("likes_received").notNull().default(0),
    commentsReceived: integer("comments_received").notNull().default(0),
    /** The account's visibility changed, and not all of its blogs are marked yet (`blogs.open`). */
    visibilitySyncPending: flag("unsettled").notNull().default(false),
    /** A passkey or a recovery code is asked for after the password. */
    passkeyStep: flag("passkey_step").notNull().default(false),
    /** Where its daily and weekly mails are to come in the morning, as the IANA calls it; null is UTC. */
    zone: text("zone"),
    /** How often the secret address of their own feed was renewed: each ends the one before. */
    feedRenewals: integer("feed_renewals").notNull().default(0),
    /** When somebody last signed in to it. */
    signedInAt: time("signed_in_at"),
    verifiedAt: time("verified_at"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("users_picture").on(table.pictureId),
    index("users_look").on(table.look),
    index("users_staff")
      .on(table.id)
      .where(sql`is_admin = 1 or is_moderator = 1`),
    index("users_suspended")
      .on(table.id)
      .where(sql`suspended_at is not null`),
    index("users_silenced")
      .on(table.id)
      .where(sql`silenced_at is not null`),
    index("users_unverified")
      .on(table.number)
      .where(sql`verified_at is null`),
    index("users_unsettled")
      .on(table.id)
      .where(sql`unsettled = 1`),
  ],
);

/** Usernames that were given up: nobody else's for a while, and they lead to whoever had them until somebody else takes them. */
export const heldUsernames = sqliteTable(
  "held_usernames",
  {
    username: text("username").primaryKey(),
    /** Null where the account is gone: then the name leads nowhere, and is forgotten when it is nobody's again. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    /** When others may take it. */
    until: time("until").notNull(),
  },
  (table) => [index("held_usernames_user").on(table.userId), index("held_usernames_until").on(table.until)],
);

/** Browsers that have signed in to an account before: nobody else's wrong passwords lock them out. */
export const knownBrowsers = sqliteTable(
  "known_browsers",
  {
    /** SHA-256 of what the browser keeps in its cookie. */
    hash: text("hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    seenAt: time("seen_at").notNull(),
  },
  (table) => [index("known_browsers_user").on(table.userId, table.seenAt)],
);

/** Links sent by mail: stored as hashes, deleted when used. */
export const mailTokens = sqliteTable(
  "mail_tokens",
  {
    hash: text("hash").primaryKey(),
    kind: text("kind", {
      // "verified": one that has confirmed its account's address, known for as long as it would have held.
      enum: ["verify", "verified", "reset", "delete", "email", "allow-email", "undo-email", "undo-access"],
    }).notNull(),
    /** What was given at the sign-up whose mail has this link: it opens the account with that and nothing else. */
    name: text("name"),
    passwordHash: text("password_hash"),
    /** What was answered there where new people wait for moderators; null where nobody was asked. */
    answer: text("answer"),
    /** The address that the account has once the link was followed, and the session that asked for it. */
    email: text("email"),
    session: text("session"),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    index("mail_tokens_user").on(table.userId, table.kind),
    index("mail_tokens_expiry").on(table.expiresAt),
  ],
);

/** Blocks: a row for each direction, so that a condition looks into one index, whichever of the two made it. */
export const blocks = sqliteTable(
  "walls",
  {
    viewerId: text("viewer_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    otherId: text("other_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** When the viewer blocked the other; null where it is the other's doing alone. */
    blockedAt: time("blocked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.viewerId, table.otherId] }),
    index("walls_other").on(table.otherId),
    index("walls_blocked")
      .on(table.viewerId, table.blockedAt, table.otherId)
      .where(sql`blocked_at is not null`),
    check("walls_others", sql`viewer_id <> other_id`),
  ],
);

/** Whom somebody wants to see in no list. It is theirs alone. */
export const mutes = sqliteTable(
  "mutes",
  {
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    mutedId: text("muted_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    mutedAt: time("muted_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.mutedId] }),
    index("mutes_muted").on(table.mutedId),
    index("mutes_newest").on(table.ownerId, table.mutedAt, table.mutedId),
    check("mutes_others", sql`owner_id <> muted_id`),
  ],
);

/** Links by which people may sign up where that is by invitation. */
export const invitations = sqliteTable(
  "invitations",
  {
    code: text("code").primaryKey(),
    /** For how many accounts it is good, and how many were made by it. */
    places: integer("places").notNull(),
    used: integer("used").notNull().default(0),
    createdAt: time("created_at").notNull(),
    /** Null where it is good for ever. */
    expiresAt: time("expires_at"),
  },
  (table) => [index("invitations_created").on(table.createdAt)],
);

/** Who has shown that their address is theirs, and waits for moderators to let them in. Until then there is nobody for anybody. */
export const signupRequests = sqliteTable(
  "applications",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    answer: text("answer").notNull(),
    requestedAt: time("waits_since").notNull(),
  },
  (table) => [index("applications_waiting").on(table.requestedAt, table.userId)],
);

/** Mail domains, with what is below them, and networks that nobody new joins from. */
export const signupBlocks = sqliteTable(
  "refused_senders",
  {
    kind: text("kind", { enum: ["domain", "network"] }).notNull(),
    value: text("value").notNull(),
    author: text("author").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.value] })],
);
