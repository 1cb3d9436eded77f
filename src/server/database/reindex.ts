import { sql } from "drizzle-orm";
import { execute } from "./connection.ts";
import { entryOffset } from "./full-text.ts";
import { isPostgres } from "./schema/store.ts";
import type { SearchKind } from "./search-index.ts";
import type { Transaction } from "./writer.ts";

export async function reindexBlog(tx: Transaction, seq: number): Promise<void> {
  if (isPostgres) return requestIndexing(tx, "blogs", seq, seq);
  await removeFromIndex(tx, seq);
  await execute(
    tx,
    sql`insert into blog_indexing select seq, title, description, tags, text from blogs where seq = ${seq} and draft = 0`,
  );
}

export async function reindexEntry(tx: Transaction, seq: number): Promise<void> {
  const number = seq - entryOffset;
  if (isPostgres) return requestIndexing(tx, "blogs", number, number);
  await removeFromIndex(tx, number);
  await execute(
    tx,
    sql`insert into blog_indexing select ${number}, title, '', '[]', text from entries where seq = ${seq} and withdrawn_at is null`,
  );
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
  await execute(
    tx,
    sql`insert into people_indexing select seq, name, username, bio from users where seq > ${after} and seq <= ${upTo} and verified_at is not null`,
  );
}

/** Indexes these numbers before the commit (postgres-search-index.ts), or removes them. */
const requestIndexing = (tx: Transaction, kind: SearchKind, first: number, last: number): Promise<void> =>
  execute(
    tx,
    sql`insert into search_pending (kind, number) select ${kind}, n from generate_series(${first}::bigint, ${last}::bigint) n on conflict do nothing`,
  );
