import { defineTable, integer, primaryKey, text } from "./columns.ts";

/** Counts per day (UTC, days since 1970), written by triggers. `bytes`: added minus removed. */
export const dailyCounts = defineTable(
  "daily_counts",
  {
    day: integer("day").notNull(),
    kind: text("kind", {
      enum: ["people", "blogs", "comments", "bytes", "mails", "mails-failed"],
    }).notNull(),
    count: integer("count").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.kind] })],
);

/** Uses of daily quotas (UTC, as above) by an account or a hashed network. */
export const quotaUses = defineTable(
  "quota_uses",
  {
    day: integer("day").notNull(),
    kind: text("kind").notNull(),
    subject: text("subject").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.kind, table.subject] })],
);
