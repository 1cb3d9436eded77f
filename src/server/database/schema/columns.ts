import * as sqlite from "drizzle-orm/sqlite-core";
import { isPostgres } from "./store.ts";
import { postgresColumns } from "./postgres-columns.ts";

/* What tables and queries are made of, for both stores. The types are those of SQLite. */

export type { AnySQLiteColumn as AnyColumn, SQLiteColumn as StoredColumn } from "drizzle-orm/sqlite-core";

const sqliteColumns = {
  defineTable: sqlite.sqliteTable,
  text: sqlite.text,
  integer: sqlite.integer,
  flag: (name: string) => sqlite.integer(name, { mode: "boolean" }),
  seq: () => sqlite.integer("seq").primaryKey({ autoIncrement: true }),
  index: sqlite.index,
  uniqueIndex: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
  check: sqlite.check,
  alias: sqlite.alias,
  union: sqlite.union,
  /** A condition of a check: the text is JSON. */
  isJson: (column: string) => `json_valid(${column})`,
};
export type Columns = typeof sqliteColumns;

const columns: Columns = isPostgres ? postgresColumns : sqliteColumns;
export const { defineTable, text, integer, index, uniqueIndex, primaryKey, check, alias, union, isJson } =
  columns;

/** Milliseconds since 1970, UTC. */
export const time = (name: string) => integer(name);
/** Stored as 1 or 0 in both stores, so that conditions are the same text. */
export const { flag } = columns;
/** The key of a table whose rows have an order. Of SQLite an explicit rowid: full-text tables refer to it, and VACUUM cannot renumber it. */
export const { seq } = columns;
