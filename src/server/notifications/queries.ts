import { and, desc, eq, inArray, isNull, lt, lte, notInArray, or, sql } from "drizzle-orm";
import { alias } from "../database/schema/columns.ts";
import { limits } from "../../shared/limits.ts";
import { notificationKindNames, notificationKinds } from "../../shared/notifications.ts";
import { visible } from "../blogs/card-queries.ts";
import { blogTitle } from "../database/blog-title.ts";
import { preparedQuery, type Connection, type Drizzle, changes } from "../database/connection.ts";
import { textsAs, listedTexts } from "../database/dialect.ts";
import { blogs } from "../database/schema/blogs.ts";
import { comments } from "../database/schema/comments.ts";
import { notifications } from "../database/schema/notifications.ts";
import { users } from "../database/schema/profiles.ts";
import { isVisibleInList } from "../profiles/queries.ts";
import { unmuted, mutesNobody } from "../blocks/mute-queries.ts";
import { isVisibleTo, hidesNobody } from "../blocks/queries.ts";
import { unmutedBlog } from "./subscription-queries.ts";

const likeKinds = notificationKindNames.filter((kind) => "isLike" in notificationKinds[kind]);

export type NotificationInsert = Omit<
  typeof notifications.$inferInsert,
  "seq" | "readAt" | "readThrough" | "firstComment"
>;

const insertRow = preparedQuery((db) => {
  const { userId, kind, actorId, target } = notifications;
  return db
    .insert(notifications)
    .values({
      id: sql.placeholder("id"),
      userId: sql.placeholder("userId"),
      kind: sql.placeholder("kind"),
      actorId: sql.placeholder("actorId"),
      blogId: sql.placeholder("blogId"),
      commentId: sql.placeholder("commentId"),
      target: sql.placeholder("target"),
      createdAt: sql.placeholder("createdAt"),
      firstComment: sql`(select seq from comments where id = ${sql.placeholder("commentId")})`,
    })
    .onConflictDoUpdate({
      target: [userId, kind, actorId, target],
      set: {
        commentId: sql`excluded.comment_id`,
        createdAt: sql`excluded.created_at`,
        readAt: null,
        readThrough: sql`coalesce(${notifications.readAt}, ${notifications.readThrough})`,
      },
    })
    .returning({ id: notifications.id });
});

/** Stores a notification, replacing one of the same kind, actor and target. Returns its id. */
export async function insertNotification(tx: Connection, notification: NotificationInsert): Promise<string> {
  return (await insertRow(tx).get({ blogId: null, commentId: null, ...notification }))?.id ?? notification.id;
}

export async function deleteNotification(
  tx: Connection,
  notification: Pick<NotificationInsert, "userId" | "kind" | "actorId" | "target">,
): Promise<boolean> {
  const { userId, kind, actorId, target } = notifications;
  const changed = await changes(
    tx.drizzle
      .delete(notifications)
      .where(
        and(
          eq(userId, notification.userId),
          eq(kind, notification.kind),
          eq(actorId, notification.actorId),
          eq(target, notification.target),
        ),
      ),
  );
  return changed > 0;
}

const about = preparedQuery((db) =>
  db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, sql.placeholder("userId")),
        eq(notifications.kind, sql.placeholder("kind")),
        eq(notifications.actorId, sql.placeholder("actorId")),
        eq(notifications.target, sql.placeholder("target")),
      ),
    ),
);
/** Returns whether a person has this notification. */
export const hasNotificationAbout = async (
  connection: Connection,
  { userId, kind, actorId, target }: Pick<NotificationInsert, "userId" | "kind" | "actorId" | "target">,
): Promise<boolean> => (await about(connection).get({ userId, kind, actorId, target })) !== undefined;

/** Deletes up to `limit` notifications about a blog, or of or about an account. Returns each recipient. */
export async function deleteNotificationsWhere(
  tx: Connection,
  subject: { blogId: string } | { userId: string },
  limit: number,
): Promise<string[]> {
  const { id, blogId, userId, actorId } = notifications;
  const batch = tx.drizzle
    .select({ id })
    .from(notifications)
    .where(
      "blogId" in subject
        ? eq(blogId, subject.blogId)
        : or(eq(userId, subject.userId), eq(actorId, subject.userId)),
    )
    .limit(limit);
  const rows = await tx.drizzle.delete(notifications).where(inArray(id, batch)).returning({ userId });
  return rows.map((row) => row.userId);
}

/** Deletes up to `limit` old notifications. Returns each recipient. */
export async function deleteNotificationsBefore(
  tx: Connection,
  before: number,
  limit: number,
): Promise<string[]> {
  const { seq, userId, createdAt } = notifications;
  const batch = tx.drizzle.select({ seq }).from(notifications).where(lt(createdAt, before)).limit(limit);
  const rows = await tx.drizzle.delete(notifications).where(inArray(seq, batch)).returning({ userId });
  return rows.map((row) => row.userId);
}

const actor = alias(users, "actor");

/** Notifications with what they show. Callers add who can see them. */
const notificationRows = (db: Drizzle) =>
  db
    .select({
      id: notifications.id,
      kind: notifications.kind,
      target: notifications.target,
      createdAt: notifications.createdAt,
      readAt: notifications.readAt,
      commentId: notifications.commentId,
      /** Not if the blog's author has hidden it. */
      comment: sql<string | null>`case when ${comments.mark} = 'hidden' then null else ${comments.text} end`,
      /** The reason of the moderators' last such decision. A site restored from an export has no log of earlier ones. */
      decisionReason: sql<
        string | null
      >`case when ${notifications.kind} in ('taken-down', 'restored', 'appeal-restored', 'appeal-kept')
        then coalesce((select reason from audit_log where target = ${notifications.target} and act = case ${notifications.kind}
            when 'taken-down' then 'take-down' when 'appeal-kept' then 'keep-appeal' else 'restore' end order by seq desc limit 1),
          case ${notifications.kind} when 'taken-down' then ${blogs.takedownReason} end) end`,
      blog: { slug: blogs.slug, title: blogTitle },
      actor: { id: actor.id, username: actor.username, name: actor.name, pictureId: actor.pictureId },
      /** People who hide their likes are not named. */
      named: sql<number>`(${notInArray(notifications.kind, likeKinds)} or ${isVisibleInList(actor, actor.showLikedBlogs)})`,
    })
    .from(notifications)
    .innerJoin(actor, eq(actor.id, notifications.actorId))
    .leftJoin(blogs, eq(blogs.id, notifications.blogId))
    .leftJoin(users, eq(users.id, blogs.authorId))
    .leftJoin(comments, eq(comments.id, notifications.commentId));
const isVisibleToRecipient = and(
  or(isNull(notifications.blogId), eq(notifications.kind, "invited"), visible),
  isVisibleTo(actor.id),
  unmuted(actor.id),
  unmutedBlog(sql`${notifications.kind}`, sql`${notifications.blogId}`),
);
const isDeliverable = and(eq(notifications.userId, sql.placeholder("viewer")), isVisibleToRecipient);

const newest = preparedQuery((db) =>
  notificationRows(db)
    .where(isDeliverable)
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(sql.placeholder("limit")),
);
const unreadOne = preparedQuery((db) =>
  notificationRows(db).where(
    and(isDeliverable, eq(notifications.id, sql.placeholder("id")), isNull(notifications.readAt)),
  ),
);
/** The most rows read for an email, by time and by kind. */
const emailRowLimit = sql.raw("1000");
const isInPeriod = sql`n.created_at >= ${sql.placeholder("since")} and n.created_at < ${sql.placeholder("before")}`;
const wantedKinds = sql.placeholder("kinds");
// By both indexes: by time alone, other kinds come first; by kind alone, old unread rows.
const unreadOf = preparedQuery((db) =>
  notificationRows(db)
    .where(
      and(
        isVisibleToRecipient,
        sql`${notifications.seq} in (
          select seq from (select n.seq, n.kind, n.read_at from notifications n
            where n.user_id = ${sql.placeholder("viewer")} and ${isInPeriod} order by n.created_at desc, n.id desc limit ${emailRowLimit}) as newest
          where read_at is null and kind in ${listedTexts(wantedKinds)}
          union
          select n.seq from ${textsAs(wantedKinds, "wanted")} inner join notifications n on n.seq in (
            select one.seq from notifications one where one.user_id = ${sql.placeholder("viewer")}
              and one.kind = wanted.value and one.read_at is null limit ${emailRowLimit})
          where ${isInPeriod})`,
      ),
    )
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(sql.placeholder("limit")),
);
/** The most entries read for the count. */
const unreadEntryLimit = 1_000;
// Skips along the index from entry to entry: a thousand likes are one step.
const entries = sql`with recursive entry(kind, target, blog_id, step) as (
  select * from (select kind, target, blog_id, 1 from notifications
    where user_id = ${sql.placeholder("viewer")} and read_at is null order by kind, target limit 1) as first
  union all
  select next.kind, next.target, next.blog_id, step + 1 from entry inner join notifications next on next.seq = coalesce(
    (select n.seq from notifications n where n.user_id = ${sql.placeholder("viewer")} and n.read_at is null
      and n.kind = entry.kind and n.target > entry.target order by n.target limit 1),
    (select n.seq from notifications n where n.user_id = ${sql.placeholder("viewer")} and n.read_at is null
      and n.kind > entry.kind order by n.kind, n.target limit 1))
  where step < ${sql.raw(String(unreadEntryLimit))})`;
/** Whether an entry has a visible, unmuted actor. Reads nothing if the viewer hides and mutes no one. */
const hasActor = sql`((${hidesNobody} and ${mutesNobody}) or exists (select 1 from notifications n where n.user_id = ${sql.placeholder("viewer")} and n.read_at is null
  and n.kind = entry.kind and n.target = entry.target and ${isVisibleTo(sql`n.actor_id`)} and ${unmuted(sql`n.actor_id`)}))`;

const shownTexts = preparedQuery((db) =>
  db
    .select({
      title: sql<string | null>`(select title from blogs where id = ${sql.placeholder("blogId")})`,
      comment: sql<string | null>`(select text from comments where id = ${sql.placeholder("commentId")})`,
    })
    .from(sql`(select 1) as one`),
);
/** Returns the texts that a notification would show. */
export const textsOf = async (
  connection: Connection,
  { blogId = null, commentId = null }: Pick<NotificationInsert, "blogId" | "commentId">,
): Promise<string[]> => {
  const { title = null, comment = null } = (await shownTexts(connection).get({ blogId, commentId })) ?? {};
  return [title, comment].filter((text) => text !== null);
};
const unread = preparedQuery((db) =>
  db.select({ total: sql<number>`count(*)` }).from(
    sql`(${entries} select 1 from entry left join blogs on blogs.id = entry.blog_id left join users on users.id = blogs.author_id
        where (entry.blog_id is null or ((entry.kind = 'invited' or ${visible}) and ${unmutedBlog(sql`entry.kind`, sql`entry.blog_id`)})) and ${hasActor} limit ${sql.raw(String(limits.notifications.counted))}) as counted`,
  ),
);

/** The most rows read for the count, as for the list. */
const unseenRowLimit = sql.raw("300");
const unseen = preparedQuery((db) =>
  db.select({ total: sql<number>`count(*)` }).from(
    sql`(select distinct n.kind, n.target from (select * from notifications where user_id = ${sql.placeholder("viewer")}
          and created_at > (select coalesce(notifications_seen_at, 0) from users where id = ${sql.placeholder("viewer")})
          order by created_at desc, id desc limit ${unseenRowLimit}) as n
        left join blogs on blogs.id = n.blog_id left join users on users.id = blogs.author_id
        where n.read_at is null and ${isVisibleTo(sql`n.actor_id`)} and ${unmuted(sql`n.actor_id`)}
          and (n.blog_id is null or ((n.kind = 'invited' or ${visible}) and ${unmutedBlog(sql`n.kind`, sql`n.blog_id`)}))
        limit ${sql.raw(String(limits.notifications.counted))}) as counted`,
  ),
);

export type NotificationRow = Awaited<ReturnType<ReturnType<typeof newest>["all"]>>[number];

export const newestNotifications = async (
  connection: Connection,
  viewer: string,
  limit: number,
): Promise<NotificationRow[]> => newest(connection).all({ viewer, limit });

/** Returns a notification if unread and visible. */
export const unreadNotification = async (
  connection: Connection,
  viewer: string,
  id: string,
): Promise<NotificationRow | undefined> => unreadOne(connection).get({ viewer, id });

/** Returns the newest unread, visible notifications of these kinds in `[since, before)`. */
export const unreadBetween = async (
  connection: Connection,
  viewer: string,
  {
    kinds,
    ...options
  }: { kinds: NotificationInsert["kind"][]; since: number; before: number; limit: number },
): Promise<NotificationRow[]> =>
  unreadOf(connection).all({ viewer, kinds: JSON.stringify(kinds), ...options });

/** Counts unread entries, up to `limits.notifications.counted`. */
export const countUnread = async (connection: Connection, viewer: string): Promise<number> =>
  (await unread(connection).get({ viewer }))?.total ?? 0;

/** The number on the bell: unread entries since the list was opened, up to `limits.notifications.counted`. */
export const countUnseen = async (connection: Connection, viewer: string): Promise<number> =>
  (await unseen(connection).get({ viewer }))?.total ?? 0;

/** Marks up to `limit` notifications until `now` as read. Returns how many. */
export async function markRead(
  tx: Connection,
  userId: string,
  now: number,
  limit: number,
  only?: { kind: NotificationInsert["kind"]; target: string },
): Promise<number> {
  const { seq, kind, target, createdAt } = notifications;
  const batch = tx.drizzle
    .select({ seq })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        sql`notifications.read_at is null`,
        lte(createdAt, now),
        only && and(eq(kind, only.kind), eq(target, only.target)),
      ),
    )
    .limit(limit);
  return await changes(tx.drizzle.update(notifications).set({ readAt: now }).where(inArray(seq, batch)));
}

/** Deletes people's notifications of these kinds. Returns whose. */
export async function deleteNotificationsOf(
  tx: Connection,
  userIds: string[],
  kinds: NotificationInsert["kind"][],
): Promise<string[]> {
  const rows = await tx.drizzle
    .delete(notifications)
    .where(and(inArray(notifications.userId, userIds), inArray(notifications.kind, kinds)))
    .returning({ userId: notifications.userId });
  return rows.map(({ userId }) => userId);
}
