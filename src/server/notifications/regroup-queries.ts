import { and, desc, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import { type Connection, first } from "../database/connection.ts";
import { listedTexts, unindexed } from "../database/dialect.ts";
import { comments } from "../database/schema/comments.ts";
import { notifications } from "../database/schema/notifications.ts";

/** A person's later comment replaces an earlier one in these. */
const replaceableKinds = ["comment", "reply", "subscription"] as const;

/**
 * Resets notifications of comments to be deleted to the person's newest other comment for the same target, with its date and
 * read state; others stay.
 */
export async function fallBackToPreviousComment(tx: Connection, commentIds: string[]): Promise<void> {
  const { kind, actorId, target, blogId, commentId, firstComment, readAt, readThrough } = notifications;
  const deletedIds = listedTexts(JSON.stringify(commentIds));
  const entries = await tx.drizzle
    .select({ kind, actorId, target, blogId, commentId, first: sql<number | null>`min(${firstComment})` })
    .from(notifications)
    .where(and(sql`${commentId} in ${deletedIds}`, inArray(kind, [...replaceableKinds])))
    .groupBy(kind, actorId, target, blogId, commentId);
  for (const entry of entries) {
    if (entry.first === null || entry.blogId === null) continue;
    const parentAuthorId = sql<
      string | null
    >`(select p.author_id from comments p where p.id = ${comments.parentId})`;
    const author = sql`(select author_id from blogs where id = ${comments.blogId})`;
    const older = await first(
      tx.drizzle
        .select({ id: comments.id, seq: comments.seq, at: comments.createdAt, answered: parentAuthorId })
        .from(comments)
        .where(
          and(
            gte(comments.seq, entry.first),
            isNull(comments.deletedAt),
            sql`${comments.id} not in ${deletedIds}`,
            eq(comments.authorId, entry.actorId),
            eq(comments.blogId, entry.blogId),
            // The `+` avoids this condition's index; the others match fewer rows.
            entry.kind === "reply" ? sql`${unindexed(comments.parentId)} = ${entry.target}` : undefined,
            // Replies to the blog's author have "reply" notifications.
            entry.kind === "comment" ? sql`${parentAuthorId} is distinct from ${author}` : undefined,
          ),
        )
        .orderBy(desc(comments.seq))
        .limit(1),
    );
    if (!older) continue;
    await tx.drizzle
      .update(notifications)
      .set({
        commentId: older.id,
        createdAt: older.at,
        readAt: sql`case when ${readAt} is not null then ${readAt} when ${readThrough} >= ${older.at} then ${readThrough} end`,
      })
      .where(
        and(
          eq(kind, entry.kind),
          sql`${unindexed(actorId)} = ${entry.actorId}`,
          eq(target, entry.target),
          sql`${commentId} = ${entry.commentId}`,
          sql`${firstComment} <= ${older.seq}`,
          entry.kind === "subscription"
            ? sql`${notifications.userId} is distinct from ${older.answered}`
            : undefined,
        ),
      );
  }
}
