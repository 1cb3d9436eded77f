import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "./columns.ts";

/** What the site says at length, each version as it was written and as it is drawn. An empty one says that there is none from then on. */
export const siteTexts = sqliteTable(
  "site_texts",
  {
    kind: text("kind", { enum: ["terms", "privacy", "landing", "sheet"] }).notNull(),
    version: integer("version").notNull(),
    source: text("source").notNull(),
    /** HTML by the document's schema; of a style sheet what is served. */
    drawn: text("drawn").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.version] })],
);
