import { sql } from "drizzle-orm";
import type { Transaction } from "./writer.ts";

export async function reindexBlog(tx: Transaction, number: number): Promise<void> {
  tx.drizzle.run(sql`delete from blog_words where rowid = ${number}`);
  tx.drizzle.run(sql`delete from blog_pieces where rowid = ${number}`);
  tx.drizzle.run(
    sql`insert into blog_indexing select number, title, description, tags, text from blogs where number = ${number} and draft = 0`,
  );
}

/** Reindexes people with numbers above `after` up to `upTo`, and removes deleted ones. */
export async function reindexPeople(tx: Transaction, after: number, upTo: number): Promise<void> {
  const range = sql`rowid > ${after} and rowid <= ${upTo}`;
  tx.drizzle.run(sql`delete from people_words where ${range}`);
  tx.drizzle.run(sql`delete from people_pieces where ${range}`);
  tx.drizzle.run(
    sql`insert into people_indexing select number, name, username, bio from users where number > ${after} and number <= ${upTo} and verified_at is not null`,
  );
}
