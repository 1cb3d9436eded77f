import { and, asc, eq, gt, max, sql } from "drizzle-orm";
import { type Connection, first, changes } from "../database/connection.ts";
import { entries } from "../database/schema/entries.ts";
import { derived } from "./queries.ts";

type EntryToRebuild = Awaited<ReturnType<typeof entriesToRebuild>>[number];

/** Returns the next entries by number, withdrawn ones included, with their documents as JSON. */
export const entriesToRebuild = async (connection: Connection, after: number, limit: number) =>
  connection.drizzle
    .select({
      seq: entries.seq,
      id: entries.id,
      blogId: entries.blogId,
      withdrawnAt: entries.withdrawnAt,
      document: sql<string>`${entries.document}`,
    })
    .from(entries)
    .where(gt(entries.seq, after))
    .orderBy(asc(entries.seq))
    .limit(limit);

export async function lastEntryNumber(connection: Connection): Promise<number> {
  const entry = await first(connection.drizzle.select({ last: max(entries.seq) }).from(entries));
  return entry?.last ?? 0;
}

/** Stores derived data. Returns false if the entry was edited meanwhile or nothing differs. */
export async function storeDerivedEntry(
  tx: Connection,
  { id, document }: Pick<EntryToRebuild, "id" | "document">,
  rendered: Pick<typeof entries.$inferSelect, "html" | "text">,
): Promise<boolean> {
  const { html, text } = derived({ document, ...rendered });
  const changed = await changes(
    tx.drizzle
      .update(entries)
      .set({ html, text })
      .where(
        and(
          eq(entries.id, id),
          sql`${entries.document} = ${document}`,
          sql`(${entries.html} <> ${html} or ${entries.text} <> ${text})`,
        ),
      ),
  );
  return changed > 0;
}
