import { and, asc, desc, eq, gt, inArray, sql, type SQL } from "drizzle-orm";
import type { SubscriptionLevel, BlogSubscription } from "../../shared/notification-inputs.ts";
import { visible } from "../blogs/card-queries.ts";
import { blogTitle } from "../database/blog-title.ts";
import { preparedQuery, type Connection, changes } from "../database/connection.ts";
import { unindexed } from "../database/dialect.ts";
import { blogs } from "../database/schema/blogs.ts";
import { blogSubscriptions, notifications } from "../database/schema/notifications.ts";
import { users } from "../database/schema/profiles.ts";

const { userId, blogId, level } = blogSubscriptions;
const viewer = sql.placeholder("viewer");
const blog = sql.placeholder("blog");

/** SQL: not about a muted blog, or a moderation decision. */
export const unmutedBlog = (kind: SQL, id: SQL): SQL =>
  sql`(${kind} in ('taken-down', 'restored') or not exists (select 1 from blog_subscriptions where user_id = ${viewer} and blog_id = ${id} and level = 'mute'))`;

const ofPerson = preparedQuery((db) =>
  db
    .select({ level })
    .from(blogSubscriptions)
    .where(and(eq(userId, viewer), eq(blogId, blog))),
);
const following = preparedQuery((db) =>
  db
    .select({ userId })
    .from(blogSubscriptions)
    .where(and(eq(blogId, blog), eq(level, "follow"), gt(userId, sql.placeholder("after"))))
    .orderBy(asc(userId))
    .limit(sql.placeholder("limit")),
);
const ofComment = preparedQuery((db) =>
  db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, viewer),
        // By `notifications_once`: by actor alone, there is a row for each recipient.
        inArray(notifications.kind, ["comment", "reply", "mention", "subscription"]),
        eq(notifications.actorId, sql.placeholder("actor")),
        sql`${unindexed(notifications.blogId)} = ${blog}`,
        sql`(${notifications.commentId} = ${sql.placeholder("comment")} or (${notifications.kind} = 'subscription'
          and (select seq from comments where id = ${notifications.commentId}) > (select seq from comments where id = ${sql.placeholder("comment")})))`,
      ),
    )
    .limit(1),
);

/** Returns a person's subscription to a blog; null for the default. */
export const subscriptionOf = async (
  connection: Connection,
  person: string,
  id: string,
): Promise<SubscriptionLevel | null> =>
  (await ofPerson(connection).get({ viewer: person, blog: id }))?.level ?? null;

/** Returns subscribers' ids after `after`, sorted. */
export const subscribersOf = async (
  connection: Connection,
  id: string,
  after: string,
  limit: number,
): Promise<string[]> =>
  (await following(connection).all({ blog: id, after, limit })).map((row) => row.userId);

/** Returns whether a person has a notification of this comment or a later one. */
export const hasNotificationOf = async (
  connection: Connection,
  person: string,
  comment: { id: string; blogId: string; authorId: string },
): Promise<boolean> =>
  (await ofComment(connection).get({
    viewer: person,
    actor: comment.authorId,
    blog: comment.blogId,
    comment: comment.id,
  })) !== undefined;

const subscribedBlogs = preparedQuery((db) =>
  db
    .select({ id: blogs.id, slug: blogs.slug, title: blogTitle, level })
    .from(blogSubscriptions)
    .innerJoin(blogs, eq(blogs.id, blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(eq(userId, viewer), visible))
    .orderBy(desc(blogs.seq))
    .limit(sql.placeholder("limit")),
);

/** Returns a person's subscribed or muted blogs that they can read, newest first. */
export const listSubscriptions = async (
  connection: Connection,
  person: string,
  limit: number,
): Promise<BlogSubscription[]> => subscribedBlogs(connection).all({ viewer: person, limit });

export const countSubscriptions = async (connection: Connection, person: string): Promise<number> =>
  connection.drizzle.$count(blogSubscriptions, eq(userId, person));

export async function storeSubscription(
  tx: Connection,
  person: string,
  id: string,
  newLevel: SubscriptionLevel | null,
): Promise<void> {
  if (newLevel === null)
    await tx.drizzle.delete(blogSubscriptions).where(and(eq(userId, person), eq(blogId, id)));
  else
    await tx.drizzle
      .insert(blogSubscriptions)
      .values({ userId: person, blogId: id, level: newLevel })
      .onConflictDoUpdate({ target: [userId, blogId], set: { level: newLevel } });
}

/** Deletes up to `limit` subscriptions of a deleted blog. Returns how many. */
export async function deleteSubscriptions(tx: Connection, id: string, limit: number): Promise<number> {
  const batch = tx.drizzle.select({ userId }).from(blogSubscriptions).where(eq(blogId, id)).limit(limit);
  return await changes(
    tx.drizzle.delete(blogSubscriptions).where(and(eq(blogId, id), inArray(userId, batch))),
  );
}
