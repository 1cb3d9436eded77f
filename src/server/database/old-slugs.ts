import { sql } from "drizzle-orm";
import type { Connection } from "./connection.ts";

/** Deletes a blog's old slugs except the newest `limit`. SQLite numbers rows in the order they were added. */
export async function dropOldestSlugs(tx: Connection, blogId: string, limit: number): Promise<void> {
  await tx.drizzle.run(sql`delete from old_slugs where blog_id = ${blogId} and rowid not in (
    select rowid from old_slugs where blog_id = ${blogId} order by rowid desc limit ${limit})`);
}
