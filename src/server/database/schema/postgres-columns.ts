import { sql } from "drizzle-orm";
import * as postgres from "drizzle-orm/pg-core";
import type { Columns } from "./columns.ts";

/* The columns of tables for PostgreSQL. Times and counts are 64 bits wide; texts compare by their bytes, as in SQLite. */

const collated = postgres.customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
/** JSON is stored as text: `jsonb` refuses some texts that people can write, and orders the keys of documents. */
const json = postgres.customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => JSON.parse(value) as unknown,
});
const zeroOrOne = postgres.customType<{ data: boolean; driverData: number }>({
  dataType: () => "smallint",
  toDriver: Number,
  fromDriver: Boolean,
});

/** Gives a column's default as SQL, since the generator of migrations does not know how a value of it is stored. */
function withDefaultAs<Builder extends { default: (value: never) => unknown }>(
  column: Builder,
  literal: (value: never) => string,
): Builder {
  const setDefault = column.default.bind(column) as (value: unknown) => unknown;
  return Object.assign(column, { default: (value: never) => setDefault(sql.raw(literal(value))) });
}

export const postgresColumns = {
  defineTable: postgres.pgTable,
  text: (name: string, { mode }: { mode?: "text" | "json" } = {}) =>
    mode === "json" ? withDefaultAs(json(name), (value) => `'${JSON.stringify(value)}'`) : collated(name),
  integer: (name: string) => postgres.bigint(name, { mode: "number" }),
  flag: (name: string) => withDefaultAs(zeroOrOne(name), (value) => String(Number(value))),
  seq: () => postgres.bigint("seq", { mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
  index: postgres.index,
  uniqueIndex: postgres.uniqueIndex,
  primaryKey: postgres.primaryKey,
  check: postgres.check,
  alias: postgres.alias,
  union: postgres.union,
  isJson: (column: string) => `${column}::json IS NOT NULL`,
} as unknown as Columns;
