import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "./connection.ts";

/** What lists show and count by, and what it is made of. */
const kept = [
  { table: "blogs", column: "likes_count", is: "(select count(*) from blog_likes where blog_id = blogs.id)" },
  { table: "blogs", column: "saves_count", is: "(select count(*) from blog_saves where blog_id = blogs.id)" },
  {
    table: "blogs",
    column: "comments_count",
    is: "(select count(*) from comments where blog_id = blogs.id and deleted_at is null)",
  },
  {
    table: "blogs",
    column: "open",
    is: "(draft = 0 and private = 0 and (select private from users where id = blogs.author_id) = 0)",
  },
  {
    table: "comments",
    column: "likes_count",
    is: "(select count(*) from comment_likes where comment_id = comments.id)",
  },
  {
    table: "users",
    column: "followers_count",
    is: "(select count(*) from follows where followed_id = users.id)",
  },
  {
    table: "users",
    column: "following_count",
    is: "(select count(*) from follows where follower_id = users.id)",
  },
  ...[
    ["public_blogs", "draft = 0 and private = 0"],
    ["private_blogs", "draft = 0 and private = 1"],
    ["draft_blogs", "draft = 1"],
  ].map(([column, which]) => ({
    table: "users",
    column,
    is: `(select count(*) from blogs where author_id = users.id and ${which})`,
  })),
  ...["likes", "comments"].map((what) => ({
    table: "users",
    column: `${what}_received`,
    is: `(select coalesce(sum(${what}_count), 0) from blogs where author_id = users.id)`,
  })),
];

export interface Findings {
  integrity: string[];
  brokenReferences: number;
  /** Rows that had it wrong, by `table.column`; they are right again. */
  recounted: Record<string, number>;
}

/** Rows that are looked at in one go, and milliseconds that a go may take: of blogs that many like there are fewer in one. */
const most = 500;
const atOnce = 10;

/**
 * Checks the store and sets right what is counted wrong. What is wrong is found by reading, a few rows at a time, which holds up
 * nobody; those rows alone are counted again where it is written.
 */
export async function examine(database: Database): Promise<Findings> {
  const { drizzle } = database.read;
  const integrity = drizzle
    .all<{ integrity_check: string }>(sql`pragma integrity_check`)
    .map((row) => row.integrity_check);
  const brokenReferences = drizzle.all(sql`pragma foreign_key_check`).length;
  const recounted: Record<string, number> = {};
  for (const one of kept) recounted[`${one.table}.${one.column}`] = await recount(database, one);
  return { integrity, brokenReferences, recounted };
}

async function recount(database: Database, { table, column, is }: (typeof kept)[number]): Promise<number> {
  const { drizzle } = database.read;
  const { last } = drizzle.get<{ last: number | null }>(sql.raw(`select max(number) as last from ${table}`));
  let wrong = 0;
  let slice = 50;
  for (let from = 0; from < (last ?? 0);) {
    const started = performance.now();
    const found = drizzle.all<{ number: number }>(
      sql.raw(
        `select number from ${table} where number > ${from} and number <= ${from + slice} and ${column} <> ${is}`,
      ),
    );
    from += slice;
    const took = performance.now() - started;
    slice = took > atOnce ? Math.max(1, slice >> 1) : Math.min(most, slice * 2);
    for (let some = found.splice(0, 20); some.length > 0; some = found.splice(0, 20)) {
      const numbers = some.map(({ number }) => number).join();
      wrong += await database.write(
        async (tx) =>
          tx.drizzle.run(
            sql.raw(
              `update ${table} set ${column} = ${is} where number in (${numbers}) and ${column} <> ${is}`,
            ),
          ).changes,
      );
    }
    await setImmediate();
  }
  return wrong;
}
