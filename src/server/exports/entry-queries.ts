import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { isVisibleTo } from "../blocks/queries.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { entries } from "../database/schema/entries.ts";
import { other, otherPerson } from "./queries.ts";

/** Rows per query, each with a text. */
const batchSize = 20;

const pageOfEntries = preparedQuery((db) =>
  db
    .select({
      id: entries.id,
      at: entries.at,
      author: otherPerson,
      isVisible: sql<number>`${isVisibleTo(entries.authorId)}`,
      title: entries.title,
      isKey: entries.isKey,
      likes: entries.likesCount,
      createdAt: entries.createdAt,
      editedAt: entries.editedAt,
      document: sql<string>`${entries.document}`,
      html: entries.html,
    })
    .from(entries)
    .leftJoin(other, eq(other.id, entries.authorId))
    .where(
      and(
        eq(entries.blogId, sql.placeholder("id")),
        isNull(entries.withdrawnAt),
        sql`(${entries.at}, ${entries.id}) > (${sql.placeholder("at")}, ${sql.placeholder("after")})`,
      ),
    )
    .orderBy(asc(entries.at), asc(entries.id))
    .limit(batchSize),
);

type Row = Awaited<ReturnType<ReturnType<typeof pageOfEntries>["all"]>>[number];
export type ExportedEntry = Omit<Row, "isVisible">;

/** Yields the entries of a live blog that readers see, oldest first. An author who is hidden from the viewer has no name. */
export async function* exportedEntries(
  connection: Connection,
  id: string,
  viewer: string | null,
): AsyncGenerator<ExportedEntry> {
  const read = ({ at, id: after }: Pick<Row, "at" | "id">) =>
    pageOfEntries(connection).all({ id, viewer, at, after });
  let rows = await read({ at: Number.MIN_SAFE_INTEGER, id: "" });
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    for (const { isVisible, author, ...row } of rows) yield { ...row, author: isVisible ? author : null };
    rows = await read(last);
  }
}
