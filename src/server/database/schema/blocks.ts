import { sql } from "drizzle-orm";
import { users } from "./profiles.ts";
import { check, defineTable, index, primaryKey, text, time } from "./columns.ts";

/** A row for each direction of a block, so that a condition reads one index. */
export const blocks = defineTable(
  "blocks",
  {
    viewerId: text("viewer_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    otherId: text("other_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** When the viewer blocked the other; null when only the other did. */
    blockedAt: time("blocked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.viewerId, table.otherId] }),
    index("blocks_other").on(table.otherId),
    index("blocks_blocked")
      .on(table.viewerId, table.blockedAt, table.otherId)
      .where(sql`blocked_at is not null`),
    check("blocks_others", sql`viewer_id <> other_id`),
  ],
);

/** Muted people; only the owner knows. */
export const mutes = defineTable(
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
