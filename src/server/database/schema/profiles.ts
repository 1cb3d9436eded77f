import { sql } from "drizzle-orm";
import { type AnyColumn, defineTable, flag, index, integer, seq, text, time } from "./columns.ts";
// oxlint-disable-next-line import/no-cycle -- people have pictures and pictures have owners; each asks for the other later
import { media } from "./media.ts";

export const users = defineTable(
  "users",
  {
    seq: seq(),
    id: text("id").notNull().unique(),
    /** Lower case, for case-insensitive uniqueness. */
    username: text("username").notNull().unique(),
    /** Skeleton for look-alikes (`shared/username-skeleton.ts`). */
    usernameSkeleton: text("username_skeleton").notNull().default(""),
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    bio: text("bio").notNull().default(""),
    /** argon2id; null when the account signs in with Google alone. */
    passwordHash: text("password_hash"),
    googleId: text("google_id").unique(),
    /** When Google was linked; null if not recorded. */
    googleLinkedAt: time("google_linked_at"),
    pictureId: text("picture_id").references((): AnyColumn => media.id, { onDelete: "set null" }),
    interests: text("interests", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Muted words, and tags with `#`. */
    mutedWords: text("muted_words", { mode: "json" }).$type<string[]>().notNull().default([]),
    private: flag("private").notNull().default(false),
    showLikedBlogs: flag("show_liked_blogs").notNull().default(true),
    showSavedBlogs: flag("show_saved_blogs").notNull().default(false),
    showFollowers: flag("show_followers").notNull().default(true),
    showPresence: flag("show_presence").notNull().default(true),
    isAdmin: flag("is_admin").notNull().default(false),
    isModerator: flag("is_moderator").notNull().default(false),
    /** Can publish where administrators choose who can. */
    canPublish: flag("can_publish").notNull().default(false),
    /** The time of the newest notification they have seen in the list; null: never opened. */
    notificationsSeenAt: time("notifications_seen_at"),
    /** When they last acknowledged changed terms; null: at sign-up. */
    textsSeenAt: time("texts_seen_at"),
    suspendedAt: time("suspended_at"),
    suspensionReason: text("suspension_reason"),
    /** Only followers see a limited account and its content; it is not notified. */
    limitedAt: time("limited_at"),
    limitReason: text("limit_reason"),
    followersCount: integer("followers_count").notNull().default(0),
    followingCount: integer("following_count").notNull().default(0),
    /** Kept by triggers. */
    publicBlogs: integer("public_blogs").notNull().default(0),
    /** Public blogs of which they are co-author. */
    sharedBlogs: integer("shared_blogs").notNull().default(0),
    privateBlogs: integer("private_blogs").notNull().default(0),
    draftBlogs: integer("draft_blogs").notNull().default(0),
    likesReceived: integer("likes_received").notNull().default(0),
    commentsReceived: integer("comments_received").notNull().default(0),
    /** Not yet all its `blogs.open` follow its changed visibility. */
    visibilitySyncPending: flag("visibility_sync_pending").notNull().default(false),
    /** Sign-in needs a passkey or recovery code after the password. */
    passkeyStep: flag("passkey_step").notNull().default(false),
    /** The IANA time zone for daily and weekly emails in the morning; null: UTC. */
    zone: text("zone"),
    /** How often the secret address of their feed was renewed. */
    feedRenewals: integer("feed_renewals").notNull().default(0),
    signedInAt: time("signed_in_at"),
    verifiedAt: time("verified_at"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("users_picture").on(table.pictureId),
    index("users_username_skeleton").on(table.usernameSkeleton),
    index("users_visibility_sync")
      .on(table.id)
      .where(sql`visibility_sync_pending = 1`),
    index("users_staff")
      .on(table.id)
      .where(sql`is_admin = 1 or is_moderator = 1`),
    index("users_suspended")
      .on(table.id)
      .where(sql`suspended_at is not null`),
    index("users_limited")
      .on(table.id)
      .where(sql`limited_at is not null`),
    index("users_unverified")
      .on(table.seq)
      .where(sql`verified_at is null`),
  ],
);

/** Given-up usernames: reserved for a while, and redirecting until someone takes them. */
export const reservedUsernames = defineTable(
  "reserved_usernames",
  {
    username: text("username").primaryKey(),
    /** Null when the account is gone: no redirect, and deleted after `until`. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    /** When others can take it. */
    until: time("until").notNull(),
  },
  (table) => [
    index("reserved_usernames_user").on(table.userId),
    index("reserved_usernames_until").on(table.until),
  ],
);

/** Links sent by email, as hashes; deleted when used. */
export const mailTokens = defineTable(
  "mail_tokens",
  {
    hash: text("hash").primaryKey(),
    kind: text("kind", {
      // "verified": has confirmed its address; kept until it would have expired.
      enum: ["verify", "verified", "reset", "delete", "email", "allow-email", "undo-email", "undo-access"],
    }).notNull(),
    /** From the sign-up that sent this link: the account gets these values only. */
    name: text("name"),
    passwordHash: text("password_hash"),
    /** The answer to the question of sign-up approval; null when none was asked. */
    answer: text("answer"),
    /** The code of the invitation that it came with: its place is taken when the address is confirmed. */
    invitation: text("invitation"),
    /** The new address, and the session that requested it. */
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
