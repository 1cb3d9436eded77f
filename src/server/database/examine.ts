import { sql } from "drizzle-orm";
import type { Database } from "./connection.ts";

/** Counts that lists show and the rows they count. */
const counts = [
  { table: "blogs", column: "likes_count", rows: "select count(*) from blog_likes where blog_id = blogs.id" },
  { table: "blogs", column: "saves_count", rows: "select count(*) from blog_saves where blog_id = blogs.id" },
  {
    table: "blogs",
    column: "comments_count",
    rows: "select count(*) from comments where blog_id = blogs.id and deleted_at is null",
  },
  {
    table: "comments",
    column: "likes_count",
    rows: "select count(*) from comment_likes where comment_id = comments.id",
  },
  {
    table: "users",
    column: "followers_count",
    rows: "select count(*) from follows where followed_id = users.id",
  },
  {
    table: "users",
    column: "following_count",
    rows: "select count(*) from follows where follower_id = users.id",
  },
] as const;

export interface Findings {
  integrity: string[];
  brokenReferences: number;
  /** Rows whose count was wrong, by `table.column`; they are right again. */
  recounted: Record<string, number>;
}

/** Checks the store and sets right the counts that are wrong. */
export async function examine(database: Database): Promise<Findings> {
  const { drizzle } = database.read;
  const integrity = drizzle
    .all<{ integrity_check: string }>(sql`pragma integrity_check`)
    .map((row) => row.integrity_check);
  const brokenReferences = drizzle.all(sql`pragma foreign_key_check`).length;
  const recounted = await database.write(async (tx) => {
    const wrong: Record<string, number> = {};
    for (const { table, column, rows } of counts) {
      const { changes } = tx.drizzle.run(
        sql.raw(`update ${table} set ${column} = (${rows}) where ${column} <> (${rows})`),
      );
      wrong[`${table}.${column}`] = changes;
    }
    return wrong;
  });
  return { integrity, brokenReferences, recounted };
}
