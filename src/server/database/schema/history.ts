import type { CoverPoint } from "../../../shared/blogs.ts";
import { versionReasons } from "../../../shared/versions.ts";
import { blogs } from "./blogs.ts";
import { media } from "./media.ts";
import { users } from "./profiles.ts";
import { defineTable, index, integer, primaryKey, text, time } from "./columns.ts";

/** What a blog said when it was published, and what its draft said now and then. */
export const versions = defineTable(
  "versions",
  {
    id: text("id").primaryKey(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    /** Who published or wrote it. */
    authorId: text("author_id").references(() => users.id, { onDelete: "set null" }),
    reason: text("reason", { enum: versionReasons }).notNull(),
    title: text("title").notNull(),
    description: text("description").notNull(),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    coverId: text("cover_id").references(() => media.id, { onDelete: "set null" }),
    coverFocus: text("cover_focus", { mode: "json" }).$type<CoverPoint>(),
    words: integer("words").notNull(),
    createdAt: time("created_at").notNull(),
    /** Which version a publication restored; possibly deleted. */
    restoredFrom: text("restored_from"),
    /** Last, so that lists read no pages of it. */
    document: text("document", { mode: "json" }).$type<unknown>().notNull(),
  },
  (table) => [
    index("versions_blog").on(table.blogId, table.createdAt, table.id),
    // For thinning out by age.
    index("versions_age").on(table.createdAt, table.blogId),
    index("versions_author").on(table.authorId),
    index("versions_cover").on(table.coverId),
  ],
);

/** Pictures in a version's text; they are kept with it. */
export const versionMedia = defineTable(
  "version_media",
  {
    versionId: text("version_id")
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    mediaId: text("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.versionId, table.mediaId] }),
    index("version_media_media").on(table.mediaId),
  ],
);
