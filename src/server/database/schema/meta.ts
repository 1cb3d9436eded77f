import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Single values of the site, such as the event log's epoch and floor. */
export const meta = sqliteTable("meta", { key: text("key").primaryKey(), value: text("value").notNull() });
