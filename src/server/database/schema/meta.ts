import { defineTable, text } from "./columns.ts";

/** Single values of the site, such as the event log's epoch and floor. */
export const meta = defineTable("meta", { key: text("key").primaryKey(), value: text("value").notNull() });
