import { runStates } from "../../../shared/imports.ts";
import { blogs } from "./blogs.ts";
import { users } from "./profiles.ts";
import { defineTable, flag, index, integer, primaryKey, text, time } from "./columns.ts";

/** `pid`: the process of an import from the command line. */
export interface RunOptions {
  again?: boolean;
  fetch?: boolean;
  pid?: number;
}

/** Imports with their progress and result. */
export const importRuns = defineTable(
  "import_runs",
  {
    id: text("id").primaryKey(),
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** Of the file or folder. */
    name: text("name").notNull(),
    /** From the command line, which alone can continue it. */
    local: flag("local").notNull().default(false),
    state: text("state", { enum: runStates }).notNull(),
    options: text("options", { mode: "json" }).$type<RunOptions>().notNull(),
    done: integer("done").notNull().default(0),
    count: integer("count").notNull().default(0),
    /** JSON, bounded; null before the first post. */
    report: text("report"),
    /** Why it ended early. */
    problem: text("problem"),
    createdAt: time("created_at").notNull(),
    /** Last sign of life. */
    changedAt: time("changed_at").notNull(),
  },
  (table) => [index("import_runs_author").on(table.authorId, table.createdAt)],
);

/** Progress in a post's comments: the position of the last one, and how many this run took. */
export interface CommentsTaken {
  to: string;
  taken: number;
  runId: string | null;
}

/** Imported posts, so that a second import skips them. */
export const imports = defineTable(
  "imports",
  {
    authorId: text("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** A path in front matter, or a file. */
    source: text("source").notNull(),
    blogId: text("blog_id").references(() => blogs.id, { onDelete: "set null" }),
    importedAt: time("imported_at").notNull(),
    /** The run that created the blog. */
    runId: text("run_id"),
    /** Hash of the source as last taken; with a question mark if incomplete. */
    hash: text("hash"),
    /** The blog's etag then; a blog with a different one was edited here. */
    etag: integer("etag"),
    /** Its report, to continue after a kill. */
    report: text("report"),
    comments: text("comments", { mode: "json" }).$type<CommentsTaken>(),
  },
  (table) => [
    primaryKey({ columns: [table.authorId, table.source] }),
    index("imports_blog").on(table.blogId),
    index("imports_run").on(table.runId, table.blogId),
  ],
);
