import { defineTable, integer, primaryKey, text, time } from "./columns.ts";

/** All versions of the site's texts, as source and rendered. An empty one ends a text. */
export const siteTexts = defineTable(
  "site_texts",
  {
    kind: text("kind", { enum: ["terms", "privacy", "landing", "sheet"] }).notNull(),
    version: integer("version").notNull(),
    source: text("source").notNull(),
    /** HTML of the document's schema, or the style sheet as served. */
    rendered: text("rendered").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.version] })],
);
