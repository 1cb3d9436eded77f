import { sql } from "drizzle-orm";
import { execute } from "../connection.ts";
import { entryOffset } from "./full-text.ts";
import { isPostgres } from "../schema/store.ts";
import type { SearchKind } from "./search-index.ts";
import type { Transaction } from "../writer.ts";

/** How SQLite indexes rows, by conditions that follow. */
export const sqliteIndexing = {
  blogs: {
    table: "blogs",
    insert: "insert into blog_indexing select seq, title, description, tags, text from blogs where draft = 0",
  },
  entries: {
    table: "entries",
    insert: `insert into blog_indexing select seq - ${entryOffset}, title, '', '[]', text from entries where withdrawn_at is null`,
  },
  people: {
    table: "users",
    insert:
      "insert into people_indexing select seq, name, username, bio from users where verified_at is not null",
  },
};

export async function reindexBlog(tx: Transaction, seq: number): Promise<void> {
  if (isPostgres) return requestIndexing(tx, "blogs", seq, seq);
  await removeFromIndex(tx, seq);
  await execute(tx, sql`${sql.raw(sqliteIndexing.blogs.insert)} and seq = ${seq}`);
}

export async function reindexEntry(tx: Transaction, seq: number): Promise<void> {
  const number = seq - entryOffset;
  if (isPostgres) return requestIndexing(tx, "blogs", number, number);
  await removeFromIndex(tx, number);
  await execute(tx, sql`${sql.raw(sqliteIndexing.entries.insert)} and seq = ${seq}`);
}

async function removeFromIndex(tx: Transaction, number: number): Promise<void> {
  await execute(tx, sql`delete from blog_words where rowid = ${number}`);
  await execute(tx, sql`delete from blog_pieces where rowid = ${number}`);
}

/** Reindexes people with numbers above `after` up to `upTo`, and removes deleted ones. */
export async function reindexPeople(tx: Transaction, after: number, upTo: number): Promise<void> {
  if (isPostgres) return requestIndexing(tx, "people", after + 1, upTo);
  const range = sql`rowid > ${after} and rowid <= ${upTo}`;
  await execute(tx, sql`delete from people_words where ${range}`);
  await execute(tx, sql`delete from people_pieces where ${range}`);
  await execute(tx, sql`${sql.raw(sqliteIndexing.people.insert)} and seq > ${after} and seq <= ${upTo}`);
}

/** Indexes these numbers before the commit (postgres/search-index.ts), or removes them. */
const requestIndexing = (tx: Transaction, kind: SearchKind, first: number, last: number): Promise<void> =>
  execute(
    tx,
    sql`insert into search_pending (kind, number) select ${kind}, n from generate_series(${first}::bigint, ${last}::bigint) n on conflict do nothing`,
  );
