import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { runStates } from "../../../shared/imports.ts";
import { blogs } from "./blogs.ts";
import { time } from "./columns.ts";
import { users } from "./users.ts";

/** How it was asked for. `pid`: the process at the command line that does it. */
export interface RunOptions {
  again?: boolean;
  fetch?: boolean;
  pid?: number;
}

/** What somebody brought in at once, what became of it, and how far it is. */
export const importRuns = sqliteTable(
  "import_runs",
  {
    id: text("id").primaryKey(),
    /** Whose page lists it. */
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** The file's or folder's own. */
    name: text("name").notNull(),
    /** Begun at the command line, which alone goes on with it. */
    local: integer("local", { mode: "boolean" }).notNull().default(false),
    state: text("state", { enum: runStates }).notNull(),
    options: text("options", { mode: "json" }).$type<RunOptions>().notNull(),
    done: integer("done").notNull().default(0),
    count: integer("count").notNull().default(0),
    /** As JSON, within bounds; null before the first post. */
    report: text("report"),
    /** Why it ended before its end. */
    problem: text("problem"),
    createdAt: time("created_at").notNull(),
    /** When it was last heard of. */
    changedAt: time("changed_at").notNull(),
  },
  (table) => [index("import_runs_author").on(table.authorId, table.createdAt)],
);

/** How far the comments of a post were taken: the last one's place among them, and how many the run took that did it. */
export interface CommentsTaken {
  to: string;
  taken: number;
  runId: string | null;
}

/** What was brought in from elsewhere, so that a second import takes nothing twice. */
export const imports = sqliteTable(
  "imports",
  {
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The source's own name of it: the path in its front matter, or its file. */
    source: text("source").notNull(),
    blogId: text("blog_id").references(() => blogs.id, { onDelete: "set null" }),
    importedAt: time("imported_at").notNull(),
    /** The one that made the blog. */
    runId: text("run_id"),
    /** Of what the source said when it was last taken; with a question mark where not all of it could be. */
    hash: text("hash"),
    /** The blog's as it was then: with another it was edited here. */
    version: integer("version"),
    /** What was said of it, for a report that goes on after a kill. */
    said: text("said"),
    comments: text("comments", { mode: "json" }).$type<CommentsTaken>(),
  },
  (table) => [
    primaryKey({ columns: [table.authorId, table.source] }),
    index("imports_blog").on(table.blogId),
    index("imports_run").on(table.runId, table.blogId),
  ],
);
