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

/** Rows that are looked at in one go. */
const slice = 500;

/**
 * Checks the store and sets right the counts that are wrong. What is wrong is found by reading, which holds up nobody; what is
 * written is written in small transactions.
 */
export async function examine(database: Database): Promise<Findings> {
  const { drizzle } = database.read;
  const integrity = drizzle
    .all<{ integrity_check: string }>(sql`pragma integrity_check`)
    .map((row) => row.integrity_check);
  const brokenReferences = drizzle.all(sql`pragma foreign_key_check`).length;
  const recounted: Record<string, number> = {};
  for (const count of counts) recounted[`${count.table}.${count.column}`] = await recount(database, count);
  return { integrity, brokenReferences, recounted };
}

async function recount(
  database: Database,
  { table, column, rows }: (typeof counts)[number],
): Promise<number> {
  const { last } = database.read.drizzle.get<{ last: number | null }>(
    sql.raw(`select max(number) as last from ${table}`),
  );
  let wrong = 0;
  for (let from = 0; from < (last ?? 0); from += slice) {
    const among = `number > ${from} and number <= ${from + slice} and ${column} <> (${rows})`;
    const [found] = database.read.drizzle.all(sql.raw(`select 1 from ${table} where ${among} limit 1`));
    if (!found) continue;
    wrong += await database.write(
      async (tx) =>
        tx.drizzle.run(sql.raw(`update ${table} set ${column} = (${rows}) where ${among}`)).changes,
    );
  }
  return wrong;
}
