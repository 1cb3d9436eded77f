import { sql } from "drizzle-orm";
import type { Transaction } from "./writer.ts";

/* The search's tables, row by row (migration 0001 says what is in them). */

/** Indexes a blog anew. */
export async function reindexBlog(tx: Transaction, number: number): Promise<void> {
  tx.drizzle.run(sql`delete from blog_words where rowid = ${number}`);
  tx.drizzle.run(sql`delete from blog_pieces where rowid = ${number}`);
  tx.drizzle.run(
    sql`insert into blog_indexing select number, title, description, tags, text from blogs where number = ${number} and draft = 0`,
  );
}

/** Indexes the people with numbers above `after` up to `upTo` anew, and forgets who is gone. */
export async function reindexPeople(tx: Transaction, after: number, upTo: number): Promise<void> {
  const range = sql`rowid > ${after} and rowid <= ${upTo}`;
  tx.drizzle.run(sql`delete from people_words where ${range}`);
  tx.drizzle.run(sql`delete from people_pieces where ${range}`);
  tx.drizzle.run(
    sql`insert into people_indexing select number, name, username, bio from users where number > ${after} and number <= ${upTo} and verified_at is not null`,
  );
}
