import { sql } from "drizzle-orm";
import { defineTable, index, integer, text, time, uniqueIndex } from "./columns.ts";
// oxlint-disable-next-line import/no-cycle -- people have pictures and pictures have owners; each asks for the other later
import { users } from "./profiles.ts";

export const media = defineTable(
  "media",
  {
    id: text("id").primaryKey(),
    ownerId: text("owner_id").references(() => users.id, { onDelete: "set null" }),
    /** Of the uploaded bytes: each owner stores a picture once. */
    hash: text("hash").notNull(),
    type: text("type", { enum: ["jpeg", "png", "webp", "gif", "avif"] }).notNull(),
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
    index("media_owner_bytes").on(table.ownerId, table.bytes),
  ],
);
