import { and, eq, inArray, sql } from "drizzle-orm";
import { withinBudget } from "../comments/removal-queries.ts";
import { type Connection, changes } from "../database/connection.ts";
import { entries, entryLikes } from "../database/schema/entries.ts";
import { picturesOfEntries } from "./queries.ts";

/** How many bytes of a text cost as much as a row. */
const bytesPerRow = 20_000;

/** Deletes some entries of a blog in deletion with their likes. Returns how many rows, and the ids of their pictures. */
export async function deleteEntriesOfBlog(
  tx: Connection,
  blogId: string,
  room: number,
): Promise<{ removed: number; pictures: string[] }> {
  const some = await tx.drizzle
    .select({
      id: entries.id,
      // A long text costs as much as several rows.
      likesCount: sql<number>`likes_count + (octet_length(document) + octet_length(html)) / ${sql.raw(String(bytesPerRow))}`,
    })
    .from(entries)
    .where(eq(entries.blogId, blogId))
    .limit(room);
  const [fitting, weight] = withinBudget(some, room);
  const ids = fitting.map(({ id }) => id);
  const pictures = await picturesOfEntries(tx, ids);
  await tx.drizzle.delete(entries).where(inArray(entries.id, ids));
  return { removed: weight, pictures };
}

/** Removes an account's name from some of its entries in blogs of others. Returns how many. */
export async function anonymizeEntries(tx: Connection, userId: string, limit: number): Promise<number> {
  const some = tx.drizzle
    .select({ id: entries.id })
    .from(entries)
    .where(eq(entries.authorId, userId))
    .limit(limit);
  return await changes(tx.drizzle.update(entries).set({ authorId: null }).where(inArray(entries.id, some)));
}

/** Deletes some likes of an account and updates the counts. Returns the entries with their blogs. */
export async function deleteEntryLikes(
  tx: Connection,
  userId: string,
  limit: number,
): Promise<{ id: string; blogId: string }[]> {
  const batch = tx.drizzle
    .select({ id: entryLikes.entryId })
    .from(entryLikes)
    .where(eq(entryLikes.userId, userId))
    .limit(limit);
  const liked = await tx.drizzle
    .delete(entryLikes)
    .where(and(eq(entryLikes.userId, userId), inArray(entryLikes.entryId, batch)))
    .returning({ id: entryLikes.entryId });
  if (liked.length === 0) return [];
  return tx.drizzle
    .update(entries)
    .set({ likesCount: sql`${entries.likesCount} - 1` })
    .where(
      inArray(
        entries.id,
        liked.map(({ id }) => id),
      ),
    )
    .returning({ id: entries.id, blogId: entries.blogId });
}
