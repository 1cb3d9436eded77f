import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Counts per day (UTC, days since 1970), written by triggers. `bytes`: added minus removed. */
export const dailyCounts = sqliteTable(
  "days",
  {
    day: integer("day").notNull(),
    what: text("what", {
      enum: ["people", "blogs", "comments", "bytes", "mails", "mails-failed"],
    }).notNull(),
    count: integer("count").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.what] })],
);

/** Uses of daily quotas (UTC, as above) by an account or a hashed network. */
export const quotaUses = sqliteTable(
  "uses",
  {
    day: integer("day").notNull(),
    what: text("what").notNull(),
    holder: text("holder").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.what, table.holder] })],
);
