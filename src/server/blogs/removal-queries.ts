import { and, desc, eq, inArray } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { comments } from "../database/schema/comments.ts";
import { notifications } from "../database/schema/notices.ts";
import { blogLikes, blogSaves } from "../database/schema/social.ts";

/** The first of these rows that together weigh as much as there is room for, a row as much as its likes and one. */
export function withinRoom<Row extends { likesCount: number }>(rows: Row[], room: number): [Row[], number] {
  let weight = 0;
  const taken = rows.filter(({ likesCount }) => weight < room && (weight += 1 + likesCount) > 0);
  return [taken, weight];
}

/**
 * Deletes some of what belongs to a blog and may be much, and the blog once all that is gone. Answers with how much it was,
 * which is below `room` where the blog is gone, and with who lost a notice by it.
 */
export async function removeSome(
  tx: Connection,
  blogId: string,
  room: number,
): Promise<{ removed: number; noticed: string[] }> {
  const { drizzle } = tx;
  const notices = drizzle
    .select({ id: notifications.id })
    .from(notifications)
    .where(eq(notifications.blogId, blogId))
    .limit(room);
  const noticed = (
    await drizzle
      .delete(notifications)
      .where(inArray(notifications.id, notices))
      .returning({ userId: notifications.userId })
      .all()
  ).map(({ userId }) => userId);
  let removed = noticed.length;
  if (removed < room) {
    // The newest first: answers go before what they answer.
    const newest = await drizzle
      .select({ id: comments.id, likesCount: comments.likesCount })
      .from(comments)
      .where(eq(comments.blogId, blogId))
      .orderBy(desc(comments.number))
      .limit(room - removed)
      .all();
    const [taken, weight] = withinRoom(newest, room - removed);
    const ids = taken.map(({ id }) => id);
    // Cut loose from each other first: SQLite takes twenty times as long for a chain.
    await drizzle.update(comments).set({ parentId: null }).where(inArray(comments.id, ids)).run();
    await drizzle.delete(comments).where(inArray(comments.id, ids)).run();
    removed += weight;
  }
  for (const table of [blogLikes, blogSaves]) {
    if (removed >= room) break;
    const people = drizzle
      .select({ userId: table.userId })
      .from(table)
      .where(eq(table.blogId, blogId))
      .limit(room - removed);
    removed += (
      await drizzle
        .delete(table)
        .where(and(eq(table.blogId, blogId), inArray(table.userId, people)))
        .run()
    ).changes;
  }
  if (removed < room) await drizzle.delete(blogs).where(eq(blogs.id, blogId)).run();
  return { removed, noticed: [...new Set(noticed)] };
}
