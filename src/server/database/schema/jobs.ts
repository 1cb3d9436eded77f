import { sql } from "drizzle-orm";
import { defineTable, index, integer, text, time } from "./columns.ts";

/** Queued work, stored in the transaction that requests it. */
export const jobs = defineTable(
  "jobs",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    payload: text("payload", { mode: "json" }).$type<unknown>().notNull(),
    /** When it may run, or be retried. */
    dueAt: time("due_at").notNull(),
    /** The end of its runner's lease; then any runner can take it. */
    leasedUntil: time("leased_until"),
    attempts: integer("attempts").notNull().default(0),
    lastError: text("last_error"),
    /** When the last attempt failed; kept for inspection. */
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
