import { sql } from "drizzle-orm";
import type { DraftFields } from "../../../shared/drafts.ts";
import { blogs } from "./blogs.ts";
import { media } from "./media.ts";
import { users } from "./profiles.ts";
import { defineTable, flag, index, integer, primaryKey, text, time, uniqueIndex } from "./columns.ts";

/**
 * Texts that are being written: a row per blog that was opened in the editor or is unpublished. Of an unpublished blog, this is the
 * only place of its text and fields.
 */
export const drafts = defineTable(
  "drafts",
  {
    blogId: text("blog_id")
      .primaryKey()
      .references(() => blogs.id, { onDelete: "cascade" }),
    /** The number of the last commit, and its unique name. */
    seq: integer("seq").notNull(),
    head: text("head").notNull(),
    fields: text("fields", { mode: "json" }).$type<DraftFields>().notNull(),
    /** As of `document_seq`; later changes are in the commits. */
    document: text("document").notNull(),
    documentSeq: integer("document_seq").notNull(),
    /** The commit that was last published, or saved as a draft. */
    savedSeq: integer("saved_seq").notNull(),
    /** Of an unpublished blog, for lists. */
    excerpt: text("excerpt").notNull().default(""),
    words: integer("words").notNull().default(0),
    /** When the next commit first records a version of what was written; null while nothing is unpublished. */
    nextVersionAt: time("next_version_at"),
    /** The title that gave the slug; null when someone chose it, or may know it. */
    namedFor: text("named_for"),
    changedAt: time("changed_at").notNull(),
    /** The creator of a new blog, until they save it. */
    begunBy: text("begun_by").references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("drafts_begun")
      .on(table.begunBy, table.changedAt)
      .where(sql`begun_by is not null`),
    index("drafts_unstored")
      .on(table.blogId, table.changedAt)
      .where(sql`document_seq < seq`),
  ],
);

export const draftCommits = defineTable(
  "draft_commits",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => drafts.blogId, { onDelete: "cascade" }),
    seq: integer("seq").notNull(),
    /** The sending page and its commit number: a commit that its author sends twice is recognized. */
    client: text("client").notNull(),
    number: integer("number").notNull(),
    authorId: text("author_id").references(() => users.id, { onDelete: "set null" }),
    /** Empty once deleted (`deleteOldSteps`); the row still recognizes the commit. */
    steps: text("steps", { mode: "json" }).$type<unknown[]>().notNull(),
    fields: text("fields", { mode: "json" }).$type<Partial<DraftFields>>().notNull(),
    createdAt: time("created_at").notNull(),
    /** Of steps and fields. */
    digest: text("digest").notNull(),
  },
  (table) => [
    index("draft_commits_old").on(table.createdAt),
    uniqueIndex("draft_commits_identity").on(table.authorId, table.blogId, table.client, table.number),
    index("draft_commits_steps")
      .on(table.createdAt)
      .where(sql`octet_length(steps) > 0`),
    primaryKey({ columns: [table.blogId, table.seq] }),
  ],
);

/** Pictures of drafts, covers included; kept meanwhile. */
export const draftMedia = defineTable(
  "draft_media",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => drafts.blogId, { onDelete: "cascade" }),
    mediaId: text("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    /** Whether the blog's authors could see it when it was added; they still can when its owner is no author any more. */
    shared: flag("shared").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.blogId, table.mediaId] }),
    index("draft_media_media").on(table.mediaId),
  ],
);

/** When a draft is published; `blogs.private` says for whom. */
export const schedules = defineTable("schedules", {
  blogId: text("blog_id")
    .primaryKey()
    .references(() => blogs.id, { onDelete: "cascade" }),
  publishAt: time("publish_at").notNull(),
  /** The IANA time zone of that choice. */
  zone: text("zone").notNull(),
  jobId: text("job_id").notNull(),
  createdAt: time("created_at").notNull(),
});
