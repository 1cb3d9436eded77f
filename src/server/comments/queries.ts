import { and, asc, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { hot, type Connection, type Drizzle } from "../database/connection.ts";
import { blogs, commentLikes, comments, users } from "../database/schema.ts";

export type NewCommentRow = typeof comments.$inferInsert;

const viewer = sql.placeholder("viewer");

const rows = (db: Drizzle) =>
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
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
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
const byIds = hot((db) =>
  rows(db)
    .where(inArray(comments.id, listed("ids")))
    .prepare(),
);
const newestTop = hot((db) =>
  rows(db)
    .where(and(eq(comments.blogId, sql.placeholder("blogId")), sql`comments.parent_id is null`))
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
      ),
    )
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const repliesIn = hot((db) =>
  rows(db)
    .where(and(inArray(comments.rootId, listed("roots")), sql`comments.parent_id is not null`))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const threadSizes = hot((db) =>
  db
    .select({ rootId: comments.rootId, size: count() })
    .from(comments)
    .where(inArray(comments.rootId, listed("roots")))
    .groupBy(comments.rootId)
    .prepare(),
);
const countOf = hot((db) =>
  db
    .select({ total: blogs.commentsCount })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("blogId")))
    .prepare(),
);
const threadBelow = hot((db) =>
  db
    .select({ id: comments.id })
    .from(comments)
    .where(
      inArray(
        comments.id,
        sql`(with recursive below(id) as (select ${sql.placeholder("id")} union all select c.id from comments c join below on c.parent_id = below.id) select id from below)`,
      ),
    )
    .prepare(),
);

export const commentById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<CommentRow | undefined> => byId(connection).get({ id, viewer: viewerId });
export const commentsByIds = async (connection: Connection, ids: string[]): Promise<CommentRow[]> =>
  byIds(connection).all({ ids: JSON.stringify(ids), viewer: null });

/** Top-level comments, newest first, after the row `before` where it is given. */
export const listTop = async (
  connection: Connection,
  blogId: string,
  viewerId: string | null,
  limit: number,
  before?: { createdAt: number; id: string },
): Promise<CommentRow[]> =>
  before
    ? olderTop(connection).all({ blogId, viewer: viewerId, limit, ...before })
    : newestTop(connection).all({ blogId, viewer: viewerId, limit });

/** Replies of these threads at any depth, oldest first. */
export const listReplies = async (
  connection: Connection,
  roots: string[],
  viewerId: string | null,
  limit: number,
): Promise<CommentRow[]> =>
  roots.length === 0
    ? []
    : repliesIn(connection).all({ roots: JSON.stringify(roots), viewer: viewerId, limit });

/** How many comments each of these threads has, its first one counted. */
export const sizesOfThreads = async (connection: Connection, roots: string[]): Promise<Map<string, number>> =>
  new Map(
    (await threadSizes(connection).all({ roots: JSON.stringify(roots) })).map(({ rootId, size }) => [
      rootId,
      size,
    ]),
  );

export const countComments = async (connection: Connection, blogId: string): Promise<number> =>
  (await countOf(connection).get({ blogId }))?.total ?? 0;

/** A comment's id and those of every reply below it. */
export const idsOfThread = async (connection: Connection, id: string): Promise<string[]> =>
  (await threadBelow(connection).all({ id })).map((row) => row.id);

export async function insertComment(tx: Connection, comment: NewCommentRow): Promise<void> {
  await tx.drizzle.insert(comments).values(comment).run();
  await changeCount(tx, comment.blogId, 1);
}

export async function updateComment(
  tx: Connection,
  id: string,
  change: Partial<NewCommentRow>,
): Promise<void> {
  await tx.drizzle.update(comments).set(change).where(eq(comments.id, id)).run();
}

export async function deleteComments(tx: Connection, blogId: string, ids: string[]): Promise<void> {
  const among = inArray(comments.id, sql`(select value from json_each(${JSON.stringify(ids)}))`);
  const shown = await tx.drizzle
    .select({ total: count() })
    .from(comments)
    .where(and(among, isNull(comments.deletedAt)))
    .get();
  // Cut loose from each other first: SQLite follows references at most a thousand deep, and a thread may be deeper.
  await tx.drizzle.update(comments).set({ parentId: null }).where(among).run();
  await tx.drizzle.delete(comments).where(among).run();
  await changeCount(tx, blogId, -(shown?.total ?? 0));
}

/** Empties comments that others answered: they stay as "deleted", nobody's. They count no longer. */
export async function emptyComments(
  tx: Connection,
  blogId: string,
  ids: string[],
  now: number,
): Promise<void> {
  const among = inArray(comments.id, sql`(select value from json_each(${JSON.stringify(ids)}))`);
  const { changes } = await tx.drizzle
    .update(comments)
    .set({ text: "", authorId: null, deletedAt: now, likesCount: 0 })
    .where(and(among, isNull(comments.deletedAt)))
    .run();
  await tx.drizzle
    .delete(commentLikes)
    .where(inArray(commentLikes.commentId, sql`(select value from json_each(${JSON.stringify(ids)}))`))
    .run();
  await changeCount(tx, blogId, -changes);
}

async function changeCount(tx: Connection, blogId: string, by: number): Promise<void> {
  await tx.drizzle
    .update(blogs)
    .set({ commentsCount: sql`comments_count + ${by}` })
    .where(eq(blogs.id, blogId))
    .run();
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
