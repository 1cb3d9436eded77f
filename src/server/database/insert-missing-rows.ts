import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Connection } from "./connection.ts";

/* For restoring rows of any area, without its logic for new rows. */

/** Inserts rows and skips existing ones. Returns the number of new rows. */
export async function insertMissingRows<Table extends SQLiteTable>(
  tx: Connection,
  table: Table,
  rows: Table["$inferInsert"][],
): Promise<number> {
  let stored = 0;
  for (const row of rows)
    stored += (await tx.drizzle.insert(table).values(row).onConflictDoNothing().run()).changes;
  return stored;
}

/** Returns those values that the column has. */
export async function existingValues(
  connection: Connection,
  column: SQLiteColumn,
  values: (string | null | undefined)[],
): Promise<Set<string>> {
  const candidates = [...new Set(values.filter((value) => typeof value === "string"))];
  if (candidates.length === 0) return new Set();
  const rows = await connection.drizzle
    .select({ value: column })
    .from(column.table)
    .where(sql`${column} in (select value from json_each(${JSON.stringify(candidates)}))`)
    .all();
  return new Set(rows.map(({ value }) => String(value)));
}
