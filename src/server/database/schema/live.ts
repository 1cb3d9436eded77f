import { defineTable, index, text, time, seq } from "./columns.ts";

/** Event log, written with each change (docs/decisions/0007-event-log-and-live-store.md). */
export const liveEvents = defineTable(
  "live_events",
  {
    seq: seq(),
    topic: text("topic").notNull(),
    event: text("event", { mode: "json" }).$type<unknown>().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("live_events_topic").on(table.topic, table.seq),
    index("live_events_created").on(table.createdAt),
  ],
);
