import { and, eq, sql, type SQL } from "drizzle-orm";
import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import { listedTexts } from "../database/dialect.ts";
import { blogs } from "../database/schema/blogs.ts";
import { notifications } from "../database/schema/notifications.ts";

/** Returns up to a thousand recipients, those with unread notifications first. */
async function recipients(connection: Connection, condition: SQL | undefined): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(condition)
    .groupBy(notifications.userId)
    .orderBy(sql`count(${notifications.readAt}) = count(*)`)
    .limit(limits.people.most);
  return rows.map((row) => row.userId);
}

/** Returns who has notifications about a blog, which depend on access and show its title. */
export const recipientsOfBlog = (connection: Connection, blogId: string): Promise<string[]> =>
  recipients(connection, eq(notifications.blogId, blogId));

export const recipientsNaming = (connection: Connection, actorId: string): Promise<string[]> =>
  recipients(connection, eq(notifications.actorId, actorId));

/** Returns who has notifications about an author's blogs; with `userId`, only that person. */
export async function recipientsOfAuthor(
  connection: Connection,
  authorId: string,
  userId?: string,
): Promise<string[]> {
  const isOfAuthor = sql`${notifications.blogId} in (select id from ${blogs} where author_id = ${authorId})`;
  return recipients(connection, and(isOfAuthor, userId ? eq(notifications.userId, userId) : undefined));
}

/** Returns who has notifications about comments, before these are deleted. */
export async function recipientsOfComments(connection: Connection, commentIds: string[]): Promise<string[]> {
  const rows = await connection.drizzle
    .selectDistinct({ userId: notifications.userId })
    .from(notifications)
    .where(sql`${notifications.commentId} in ${listedTexts(JSON.stringify(commentIds))}`);
  return rows.map((row) => row.userId);
}
