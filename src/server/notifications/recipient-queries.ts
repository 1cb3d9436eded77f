import { and, eq, sql, type SQL } from "drizzle-orm";
import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { notifications } from "../database/schema/notifications.ts";

/** Who holds notifications of this kind, a thousand at most, those with unread ones first. */
async function holders(connection: Connection, which: SQL | undefined): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(which)
    .groupBy(notifications.userId)
    .orderBy(sql`count(${notifications.readAt}) = count(*)`)
    .limit(limits.people.most)
    .all();
  return rows.map((row) => row.userId);
}

/** Who has notifications about a blog: they come and go with who may read it, and name its title. */
export const recipientsOfBlog = (connection: Connection, blogId: string): Promise<string[]> =>
  holders(connection, eq(notifications.blogId, blogId));

/** Who has notifications that name somebody. */
export const recipientsNaming = (connection: Connection, actorId: string): Promise<string[]> =>
  holders(connection, eq(notifications.actorId, actorId));

/** Who has notifications about the blogs of this author; or only whether `userId` has. */
export async function recipientsOfAuthor(
  connection: Connection,
  authorId: string,
  userId?: string,
): Promise<string[]> {
  const written = sql`${notifications.blogId} in (select id from ${blogs} where author_id = ${authorId})`;
  return holders(connection, and(written, userId ? eq(notifications.userId, userId) : undefined));
}

/** Who has notifications about these comments, whose rows go with them. */
export async function recipientsOfComments(connection: Connection, commentIds: string[]): Promise<string[]> {
  const rows = await connection.drizzle
    .selectDistinct({ userId: notifications.userId })
    .from(notifications)
    .where(sql`${notifications.commentId} in (select value from json_each(${JSON.stringify(commentIds)}))`)
    .all();
  return rows.map((row) => row.userId);
}
