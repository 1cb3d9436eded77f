import { sql } from "drizzle-orm";
import type { Transaction } from "./writer.ts";

export async function reindexBlog(tx: Transaction, seq: number): Promise<void> {
  tx.drizzle.run(sql`delete from blog_words where rowid = ${seq}`);
  tx.drizzle.run(sql`delete from blog_pieces where rowid = ${seq}`);
  tx.drizzle.run(
    sql`insert into blog_indexing select seq, title, description, tags, text from blogs where seq = ${seq} and draft = 0`,
  );
}

/** Reindexes people with numbers above `after` up to `upTo`, and removes deleted ones. */
export async function reindexPeople(tx: Transaction, after: number, upTo: number): Promise<void> {
  const range = sql`rowid > ${after} and rowid <= ${upTo}`;
  tx.drizzle.run(sql`delete from people_words where ${range}`);
  tx.drizzle.run(sql`delete from people_pieces where ${range}`);
  tx.drizzle.run(
    sql`insert into people_indexing select seq, name, username, bio from users where seq > ${after} and seq <= ${upTo} and verified_at is not null`,
  );
}
