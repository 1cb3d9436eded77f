import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "./columns.ts";

/** Event log, written with each change (docs/decisions/0007-event-log-and-live-store.md). */
export const liveEvents = sqliteTable(
  "live_events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    topic: text("topic").notNull(),
    event: text("event", { mode: "json" }).$type<unknown>().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("live_events_topic").on(table.topic, table.seq),
    index("live_events_created").on(table.createdAt),
  ],
);
