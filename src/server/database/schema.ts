import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";

/** Times are milliseconds since 1970, UTC. */
const time = (name: string) => integer(name);
const flag = (name: string) => integer(name, { mode: "boolean" });
/** An explicit rowid, so that full-text tables can point to it and VACUUM can't renumber it. */
const number = () => integer("number").primaryKey({ autoIncrement: true });

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
    pictureId: text("picture_id").references((): AnySQLiteColumn => media.id, { onDelete: "set null" }),
    interests: text("interests", { mode: "json" }).$type<string[]>().notNull().default([]),
    private: flag("private").notNull().default(false),
    showLikedBlogs: flag("show_liked_blogs").notNull().default(true),
    showSavedBlogs: flag("show_saved_blogs").notNull().default(false),
    showFollowers: flag("show_followers").notNull().default(true),
    showPresence: flag("show_presence").notNull().default(true),
    isAdmin: flag("is_admin").notNull().default(false),
    followersCount: integer("followers_count").notNull().default(0),
    followingCount: integer("following_count").notNull().default(0),
    verifiedAt: time("verified_at"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [index("users_picture").on(table.pictureId), index("users_look").on(table.look)],
);

/** Usernames that were given up: held for a while, and until then they lead to whoever had them. */
export const heldUsernames = sqliteTable(
  "held_usernames",
  {
    username: text("username").primaryKey(),
    /** Null where the account is gone: then the name is held and leads nowhere. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
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

export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the session's id: a leaked database holds no credential. */
    hash: text("hash").primaryKey(),
    /** Public: tells tabs and the settings page which session, authenticates nothing. */
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

/** Links sent by mail: stored as hashes, deleted when used. */
export const mailTokens = sqliteTable(
  "mail_tokens",
  {
    hash: text("hash").primaryKey(),
    kind: text("kind", { enum: ["verify", "reset", "delete"] }).notNull(),
    /** What was given at the sign-up whose mail has this link: it opens the account with that and nothing else. */
    name: text("name"),
    passwordHash: text("password_hash"),
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

export const media = sqliteTable(
  "media",
  {
    id: text("id").primaryKey(),
    ownerId: text("owner_id").references(() => users.id, { onDelete: "set null" }),
    /** Of the bytes that came in, so that the same picture is stored once for each owner. */
    hash: text("hash").notNull(),
    type: text("type", { enum: ["jpeg", "png", "webp", "gif"] }).notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    bytes: integer("bytes").notNull(),
    /** The dominant colour, `#rrggbb`. */
    color: text("color").notNull(),
    widths: text("widths", { mode: "json" }).$type<number[]>().notNull(),
    createdAt: time("created_at").notNull(),
    /** Since when nothing shows it; null while something does. */
    unusedAt: time("unused_at"),
  },
  (table) => [
    uniqueIndex("media_owner_hash").on(table.ownerId, table.hash),
    index("media_created").on(table.createdAt),
    index("media_unused")
      .on(table.unusedAt)
      .where(sql`unused_at is not null`),
  ],
);

export const blogs = sqliteTable(
  "blogs",
  {
    number: number(),
    id: text("id").notNull().unique(),
    slug: text("slug").notNull().unique(),
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull().default([]),
    coverId: text("cover_id").references(() => media.id, { onDelete: "set null" }),
    /** The ProseMirror document as JSON, and what is derived from it at every write. */
    document: text("document", { mode: "json" }).$type<unknown>().notNull(),
    html: text("html").notNull(),
    text: text("text").notNull(),
    excerpt: text("excerpt").notNull(),
    words: integer("words").notNull(),
    readingMinutes: integer("reading_minutes").notNull(),
    draft: flag("draft").notNull(),
    private: flag("private").notNull(),
    likesCount: integer("likes_count").notNull().default(0),
    commentsCount: integer("comments_count").notNull().default(0),
    savesCount: integer("saves_count").notNull().default(0),
    /** Counts saves of the form, so that two tabs notice each other. */
    version: integer("version").notNull().default(1),
    createdAt: time("created_at").notNull(),
    /** When it was published, the last time if it was a draft in between; a draft's is the time of its last save, so that lists sort on one column. */
    publishedAt: time("published_at").notNull(),
    editedAt: time("edited_at"),
  },
  (table) => [
    index("blogs_latest")
      .on(table.publishedAt, table.id)
      .where(sql`draft = 0`),
    index("blogs_liked")
      .on(table.likesCount, table.publishedAt, table.id)
      .where(sql`draft = 0`),
    index("blogs_author").on(table.authorId, table.draft, table.private, table.publishedAt, table.id),
    index("blogs_cover").on(table.coverId),
    check("blogs_tags", sql`json_valid(tags)`),
  ],
);

/** Addresses a blog had before its author changed them: they redirect. */
export const oldSlugs = sqliteTable(
  "old_slugs",
  {
    slug: text("slug").primaryKey(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
  },
  (table) => [index("old_slugs_blog").on(table.blogId)],
);

/** Which pictures a blog's text shows, so that a picture nobody shows any more can go. */
export const blogMedia = sqliteTable(
  "blog_media",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    mediaId: text("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.mediaId] }),
    index("blog_media_media").on(table.mediaId),
  ],
);

/** What was brought in from elsewhere, so that a second import takes nothing twice. */
export const imports = sqliteTable(
  "imports",
  {
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The source's own name of it: the path in its front matter, or its file. */
    source: text("source").notNull(),
    blogId: text("blog_id").references(() => blogs.id, { onDelete: "set null" }),
    importedAt: time("imported_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.authorId, table.source] }),
    index("imports_blog").on(table.blogId),
  ],
);

export const comments = sqliteTable(
  "comments",
  {
    number: number(),
    id: text("id").notNull().unique(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    parentId: text("parent_id").references((): AnySQLiteColumn => comments.id, { onDelete: "cascade" }),
    rootId: text("root_id").notNull(),
    /** Null where the account is gone and replies of others remain. */
    authorId: text("author_id").references(() => users.id, { onDelete: "set null" }),
    text: text("text").notNull(),
    likesCount: integer("likes_count").notNull().default(0),
    createdAt: time("created_at").notNull(),
    editedAt: time("edited_at"),
    deletedAt: time("deleted_at"),
  },
  (table) => [
    index("comments_top")
      .on(table.blogId, table.createdAt, table.id)
      .where(sql`parent_id is null`),
    index("comments_thread").on(table.rootId, table.createdAt, table.id),
    index("comments_parent").on(table.parentId),
    index("comments_author").on(table.authorId),
    index("comments_blog").on(table.blogId),
  ],
);

export const blogLikes = sqliteTable(
  "blog_likes",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.userId] }),
    index("blog_likes_user").on(table.userId, table.createdAt, table.blogId),
    index("blog_likes_time").on(table.blogId, table.createdAt),
  ],
);

export const blogSaves = sqliteTable(
  "blog_saves",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.userId] }),
    index("blog_saves_user").on(table.userId, table.createdAt, table.blogId),
    index("blog_saves_time").on(table.blogId, table.createdAt),
  ],
);

export const commentLikes = sqliteTable(
  "comment_likes",
  {
    commentId: text("comment_id")
      .notNull()
      .references(() => comments.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.commentId, table.userId] }),
    index("comment_likes_user").on(table.userId, table.commentId),
    index("comment_likes_time").on(table.commentId, table.createdAt),
  ],
);

export const follows = sqliteTable(
  "follows",
  {
    followerId: text("follower_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    followedId: text("followed_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.followedId] }),
    index("follows_followed").on(table.followedId, table.createdAt, table.followerId),
    index("follows_follower").on(table.followerId, table.createdAt, table.followedId),
    check("follows_others", sql`follower_id <> followed_id`),
  ],
);

/** Requests that wait for a private account's answer. */
export const followRequests = sqliteTable(
  "follow_requests",
  {
    requesterId: text("requester_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.requesterId, table.ownerId] }),
    index("follow_requests_owner").on(table.ownerId, table.createdAt, table.requesterId),
  ],
);

export const notifications = sqliteTable(
  "notifications",
  {
    number: number(),
    id: text("id").notNull().unique(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", {
      enum: ["follow", "request", "accepted", "comment", "reply", "like", "comment-like", "mention"],
    }).notNull(),
    actorId: text("actor_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blogId: text("blog_id").references(() => blogs.id, { onDelete: "cascade" }),
    commentId: text("comment_id").references(() => comments.id, { onDelete: "cascade" }),
    /** Rows with the same target are shown as one. */
    target: text("target").notNull(),
    createdAt: time("created_at").notNull(),
    readAt: time("read_at"),
  },
  (table) => [
    index("notifications_user").on(table.userId, table.createdAt, table.id),
    index("notifications_unread")
      .on(table.userId)
      .where(sql`read_at is null`),
    uniqueIndex("notifications_once").on(table.userId, table.kind, table.actorId, table.target),
    index("notifications_blog").on(table.blogId),
    index("notifications_comment").on(table.commentId),
    index("notifications_actor").on(table.actorId),
  ],
);

/** The outbox: what happened, written with what it tells of (design, live layer, promise 1). */
export const liveEvents = sqliteTable(
  "live_events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    topic: text("topic").notNull(),
    fact: text("fact", { mode: "json" }).$type<unknown>().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("live_events_topic").on(table.topic, table.seq),
    index("live_events_created").on(table.createdAt),
  ],
);

/** Work that was asked for and is done later: stored in the transaction of what asks for it. */
export const jobs = sqliteTable(
  "jobs",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    payload: text("payload", { mode: "json" }).$type<unknown>().notNull(),
    /** When it may run, for the first time or again. */
    dueAt: time("due_at").notNull(),
    /** Until when whoever runs it has it to themselves; past that it is anybody's again. */
    leasedUntil: time("leased_until"),
    attempts: integer("attempts").notNull().default(0),
    lastError: text("last_error"),
    /** When it was given up; it is kept to be looked at. */
    failedAt: time("failed_at"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("jobs_due")
      .on(table.dueAt)
      .where(sql`failed_at is null`),
    index("jobs_failed")
      .on(table.failedAt)
      .where(sql`failed_at is not null`),
  ],
);

/** Single values of the site, such as the outbox's epoch and floor. */
export const meta = sqliteTable("meta", { key: text("key").primaryKey(), value: text("value").notNull() });
