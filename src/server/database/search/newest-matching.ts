import { sql } from "drizzle-orm";
import { preparedQuery, rowsOf, type Connection } from "../connection.ts";
import { quotedLexeme } from "../postgres/vectors.ts";
import { isPostgres } from "../schema/store.ts";

/** Of SQLite; exported for the test of query plans. */
export const newestInFullText = preparedQuery((db) =>
  db
    .select({ number: sql<number>`rowid` })
    .from(sql`blog_words`)
    .where(
      sql`blog_words match ${sql.placeholder("match")} and rowid > cast(${sql.placeholder("after")} as integer)`,
    )
    .orderBy(sql`rowid desc`)
    .limit(sql.placeholder("limit")),
);

/**
 * Of PostgreSQL, as a text without parameters: it is planned by how frequent the words are. `E` and the quotes make any text one value,
 * whatever the server's settings.
 */
const newestInVectors = (match: string, after: number, limit: number) =>
  sql.raw(`select number from blog_index where words @@ E${quotedLexeme(match)}::tsquery and number > ${Math.trunc(after)}
    order by number desc limit ${Math.trunc(limit)}`);

/**
 * Returns the numbers of the newest blogs after a number that match `anyPhrase`. The number is at least 0: below are entries of live
 * blogs.
 */
export async function newestMatching(
  connection: Connection,
  match: string,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = isPostgres
    ? await rowsOf<{ number: number }>(connection, newestInVectors(match, after, limit))
    : await newestInFullText(connection).all({ match, after, limit });
  return rows.map(({ number }) => number);
}
