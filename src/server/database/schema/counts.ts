import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What came to be on each day (of UTC, counted from 1970): the store keeps it by triggers. Of `bytes` what was added less what went. */
export const days = sqliteTable(
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

/** How often an account, or a network by its hash, did something that is bounded on a day (of UTC, as above). */
export const uses = sqliteTable(
  "uses",
  {
    day: integer("day").notNull(),
    what: text("what").notNull(),
    holder: text("holder").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.what, table.holder] })],
);
