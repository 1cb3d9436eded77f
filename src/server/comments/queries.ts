import { and, asc, count, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { addToCount } from "../blogs/queries.ts";
import { hot, type Connection, type Drizzle } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { commentLikes, comments } from "../database/schema/comments.ts";
import { users } from "../database/schema/users.ts";
import { muted } from "../users/mute-queries.ts";
import { isHiddenFrom, isSuspended } from "../users/block-queries.ts";

export type NewCommentRow = typeof comments.$inferInsert;
export type TimeAndId = Pick<NewCommentRow, "createdAt" | "id">;

const viewer = sql.placeholder("viewer");

/**
 * Whether a comment (by the name that it has in the statement) is in its place for the viewer. That of a hidden person is, without
 * its name and text, where anything below it is anybody else's: what those wrote is to be read, and to stand where it stood.
 */
export const shownAs = (
  name: "comments" | "c" | "reply",
  hides: (author: SQL) => SQL = isHiddenFrom,
): SQL => {
  const author = sql.raw(`${name}.author_id`);
  return sql`(not ${hides(author)} or exists (
    with recursive below(id, author_id) as (
      select d.id, d.author_id from comments d where d.parent_id = ${sql.raw(`${name}.id`)}
      union all select d.id, d.author_id from below inner join comments d on d.parent_id = below.id)
    select 1 from below where not ${hides(sql`below.author_id`)}))`;
};

const rows = (db: Drizzle, isHidden = isHiddenFrom(comments.authorId)) =>
  db
    .select({
      id: comments.id,
      blogId: comments.blogId,
      parentId: comments.parentId,
      rootId: comments.rootId,
      text: comments.text,
      createdAt: comments.createdAt,
      editedAt: comments.editedAt,
      deletedAt: comments.deletedAt,
      likesCount: comments.likesCount,
      mark: comments.mark,
      guestName: comments.guestName,
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
      isHidden: sql<number>`${isHidden}`,
      muted: sql<number>`${muted(comments.authorId)}`,
      liked: sql<number>`exists (select 1 from ${commentLikes} where comment_id = ${comments.id} and user_id = ${viewer})`,
    })
    .from(comments)
    .leftJoin(users, eq(users.id, comments.authorId));

export type CommentRow = Awaited<ReturnType<ReturnType<typeof byId>["all"]>>[number];

const listed = (name: string) => sql`(select value from json_each(${sql.placeholder(name)}))`;

const byId = hot((db) =>
  rows(db)
    .where(eq(comments.id, sql.placeholder("id")))
    .prepare(),
);
// For everybody who listens: each stream filters by itself what is hidden from its viewer.
const byIds = hot((db) =>
  rows(db, isSuspended(comments.authorId))
    .where(inArray(comments.id, listed("ids")))
    .prepare(),
);
const pinned = hot((db) =>
  db
    .select({ id: comments.id })
    .from(comments)
    .where(and(eq(comments.blogId, sql.placeholder("blogId")), sql`comments.mark = 'pinned'`))
    .prepare(),
);
const newestTop = hot((db) =>
  rows(db)
    .where(
      and(
        eq(comments.blogId, sql.placeholder("blogId")),
        sql`comments.parent_id is null`,
        shownAs("comments"),
      ),
    )
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const olderTop = hot((db) =>
  rows(db)
    .where(
      and(
        eq(comments.blogId, sql.placeholder("blogId")),
        sql`comments.parent_id is null`,
        sql`(${comments.createdAt}, ${comments.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`,
        shownAs("comments"),
      ),
    )
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
// Each thread's index is read as far as it is needed, however long the thread is.
const firstReplies = hot((db) =>
  rows(db)
    .innerJoin(
      sql`json_each(${sql.placeholder("roots")}) as root`,
      sql`${comments.id} in (
        select c.id from comments c where c.root_id = root.value and c.id <> c.root_id and ${shownAs("c")}
        order by c.created_at, c.id limit ${sql.placeholder("limit")})`,
    )
    .prepare(),
);
const place = sql`(${comments.createdAt}, ${comments.id})`;
const placeAsked = sql`(${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`;
const inThread = and(eq(comments.rootId, sql.placeholder("rootId")), sql`comments.id <> comments.root_id`);
const repliesAfter = hot((db) =>
  rows(db)
    .where(and(inThread, sql`${place} > ${placeAsked}`, shownAs("comments")))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const repliesBefore = hot((db) =>
  rows(db)
    .where(and(inThread, sql`${place} < ${placeAsked}`, shownAs("comments")))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const placesAfter = hot((db) =>
  db
    .select({ id: comments.id, parentId: comments.parentId, createdAt: comments.createdAt })
    .from(comments)
    .where(and(inThread, sql`${place} > ${placeAsked}`))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const above = hot((db) =>
  rows(db)
    .where(
      inArray(
        comments.id,
        sql`(with recursive up(id, parent_id, steps) as (
          select c.id, c.parent_id, 0 from comments c where c.id = ${sql.placeholder("id")}
          union all
          select c.id, c.parent_id, up.steps + 1 from comments c join up on c.id = up.parent_id
          where up.steps < ${sql.placeholder("most")}
        ) select id from up where steps > 0)`,
      ),
    )
    .prepare(),
);
const threadSizes = (shown: SQL) =>
  hot((db) =>
    db
      .select({ rootId: comments.rootId, size: count() })
      .from(comments)
      .where(and(inArray(comments.rootId, listed("roots")), shown))
      .groupBy(comments.rootId)
      .prepare(),
  );
const sizesFor = {
  viewer: threadSizes(shownAs("comments")),
  all: threadSizes(shownAs("comments", isSuspended)),
};
const countOf = hot((db) =>
  db
    .select({ total: blogs.commentsCount })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("blogId")))
    .prepare(),
);
const rootsAmong = hot((db) =>
  db
    .selectDistinct({ rootId: comments.rootId })
    .from(comments)
    .where(inArray(comments.id, listed("ids")))
    .prepare(),
);
const below = sql`with recursive below(id) as (
  select value from json_each(${sql.placeholder("ids")})
  union select c.id from comments c join below on c.parent_id = below.id)`;
const newestBelow = hot((db) =>
  db
    .select({ id: comments.id })
    .from(comments)
    .where(inArray(comments.id, sql`(${below} select id from below)`))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .prepare(),
);
const sizeBelow = hot((db) =>
  db
    .select({ size: count() })
    .from(comments)
    .where(inArray(comments.id, sql`(${below} select id from below)`))
    .prepare(),
);

export const commentById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<CommentRow | undefined> => byId(connection).get({ id, viewer: viewerId });
export const commentsByIds = async (connection: Connection, ids: string[]): Promise<CommentRow[]> =>
  byIds(connection).all({ ids: JSON.stringify(ids), viewer: null });

/** The comment that stands first below a blog. */
export const pinnedOf = async (connection: Connection, blogId: string): Promise<string | undefined> =>
  (await pinned(connection).get({ blogId }))?.id;

/** Top-level comments, newest first, after the row `before` where it is given. */
export const listTop = async (
  connection: Connection,
  blogId: string,
  viewerId: string | null,
  limit: number,
  before?: TimeAndId,
): Promise<CommentRow[]> =>
  before
    ? olderTop(connection).all({ blogId, viewer: viewerId, limit, ...before })
    : newestTop(connection).all({ blogId, viewer: viewerId, limit });

/** The first replies of these threads, at any depth, as many of each; in no order. */
export const listFirstReplies = async (
  connection: Connection,
  roots: string[],
  viewerId: string | null,
  limit: number,
): Promise<CommentRow[]> =>
  firstReplies(connection).all({ roots: JSON.stringify(roots), viewer: viewerId, limit });

/** Replies of a thread at any depth, beginning next to a place: those `after` it oldest first, those `before` it newest first. */
export const listReplies = async (
  connection: Connection,
  rootId: string,
  viewerId: string | null,
  limit: number,
  at: { after: TimeAndId } | { before: TimeAndId },
): Promise<CommentRow[]> =>
  "after" in at
    ? repliesAfter(connection).all({ rootId, viewer: viewerId, limit, ...at.after })
    : repliesBefore(connection).all({ rootId, viewer: viewerId, limit, ...at.before });

/** What stands after a place in a thread and what it answers, oldest first. */
export const listPlaces = async (connection: Connection, rootId: string, limit: number, after: TimeAndId) =>
  placesAfter(connection).all({ rootId, limit, createdAt: after.createdAt, id: after.id });

/** What a comment answers, and what that answers, up to so many; in no order. */
export const listAbove = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
  most: number,
): Promise<CommentRow[]> => above(connection).all({ id, viewer: viewerId, most });

/**
 * How many comments each of these threads has for the viewer, its first one counted; undefined for what all are told live, where
 * each stream leaves out who is hidden from its viewer.
 */
export async function sizesOfThreads(
  connection: Connection,
  roots: string[],
  viewerId: string | null | undefined,
): Promise<Map<string, number>> {
  const counted = sizesFor[viewerId === undefined ? "all" : "viewer"](connection);
  const sizes = await counted.all({ roots: JSON.stringify(roots), viewer: viewerId ?? null });
  return new Map(sizes.map(({ rootId, size }) => [rootId, size]));
}

export const countComments = async (connection: Connection, blogId: string): Promise<number> =>
  (await countOf(connection).get({ blogId }))?.total ?? 0;

/** The threads that these comments are in. */
export const rootsOf = async (connection: Connection, ids: string[]): Promise<string[]> =>
  (await rootsAmong(connection).all({ ids: JSON.stringify(ids) })).map(({ rootId }) => rootId);

/** The ids of these comments and of every reply below them, the newest first: no reply stands behind what it answers. */
export const idsBelow = async (connection: Connection, ids: string[]): Promise<string[]> =>
  (await newestBelow(connection).all({ ids: JSON.stringify(ids) })).map(({ id }) => id);

/** How many replies stand below a comment, at any depth. */
export const countBelow = async (connection: Connection, id: string): Promise<number> =>
  ((await sizeBelow(connection).get({ ids: JSON.stringify([id]) }))?.size ?? 1) - 1;

const insertRow = hot((db) =>
  db
    .insert(comments)
    .values({
      id: sql.placeholder("id"),
      blogId: sql.placeholder("blogId"),
      parentId: sql.placeholder("parentId"),
      rootId: sql.placeholder("rootId"),
      authorId: sql.placeholder("authorId"),
      guestName: sql.placeholder("guestName"),
      text: sql.placeholder("text"),
      createdAt: sql.placeholder("createdAt"),
    })
    .prepare(),
);

/** A comment as it is written. */
export type NewComment = Pick<NewCommentRow, "id" | "blogId" | "rootId" | "text" | "createdAt"> & {
  parentId: string | null;
  authorId: string;
};

/** A comment of somebody without an account. */
export type NewGuestComment = Omit<NewComment, "authorId"> & { guestName: string };

export async function insertComment(tx: Connection, comment: NewComment | NewGuestComment): Promise<void> {
  await insertRow(tx).run({ authorId: null, guestName: null, ...comment });
  await addToCount(tx, "commentsCount", [comment.blogId], 1);
}

export async function updateComment(
  tx: Connection,
  id: string,
  change: Partial<NewCommentRow>,
): Promise<void> {
  await tx.drizzle.update(comments).set(change).where(eq(comments.id, id)).run();
}

/** Sets whether somebody likes a comment; true where that changed anything. The count is kept with it. */
export async function setCommentLike(
  tx: Connection,
  commentId: string,
  userId: string,
  liked: boolean,
  now: number,
): Promise<boolean> {
  const { changes } = liked
    ? await tx.drizzle
        .insert(commentLikes)
        .values({ commentId, userId, createdAt: now })
        .onConflictDoNothing()
        .run()
    : await tx.drizzle
        .delete(commentLikes)
        .where(and(eq(commentLikes.commentId, commentId), eq(commentLikes.userId, userId)))
        .run();
  if (changes > 0)
    await tx.drizzle
      .update(comments)
      .set({ likesCount: sql`likes_count + ${liked ? 1 : -1}` })
      .where(eq(comments.id, commentId))
      .run();
  return changes > 0;
}
