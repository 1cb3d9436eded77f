import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Connection } from "./connection.ts";

/* For what puts rows of every area back as they once were, as a backup does: nothing of what an area does with a new one is done. */

/** Stores rows as they are; one that is there already stays. Answers with how many were new. */
export async function putRows<Table extends SQLiteTable>(
  tx: Connection,
  table: Table,
  rows: Table["$inferInsert"][],
): Promise<number> {
  let stored = 0;
  for (const row of rows)
    stored += (await tx.drizzle.insert(table).values(row).onConflictDoNothing().run()).changes;
  return stored;
}

/** Which of these values a column has. */
export async function knownValues(
  connection: Connection,
  column: SQLiteColumn,
  values: (string | null | undefined)[],
): Promise<Set<string>> {
  const asked = [...new Set(values.filter((value) => typeof value === "string"))];
  if (asked.length === 0) return new Set();
  const rows = await connection.drizzle
    .select({ value: column })
    .from(column.table)
    .where(sql`${column} in (select value from json_each(${JSON.stringify(asked)}))`)
    .all();
  return new Set(rows.map(({ value }) => String(value)));
}
