import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "./columns.ts";

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
