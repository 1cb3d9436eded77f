import { and, asc, count, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { addToCount } from "../blogs/queries.ts";
import { preparedQuery, type Connection, type Drizzle, changes } from "../database/connection.ts";
import { textsAs, listedTexts } from "../database/dialect.ts";
import { blogs } from "../database/schema/blogs.ts";
import { commentLikes, comments } from "../database/schema/comments.ts";
import { users } from "../database/schema/profiles.ts";
import { muted } from "../blocks/mute-queries.ts";
import { isHiddenFrom, isSuspended } from "../blocks/queries.ts";

export type NewCommentRow = typeof comments.$inferInsert;
export type TimeAndId = Pick<NewCommentRow, "createdAt" | "id">;

const viewer = sql.placeholder("viewer");

/**
 * SQL: whether the viewer sees a comment, whose table or alias is `name`. A hidden person's comment keeps an empty row if
 * someone else replied below it, so that those replies stay in place.
 */
export const isShown = (
  name: "comments" | "c" | "reply",
  isHidden: (author: SQL) => SQL = isHiddenFrom,
): SQL => {
  const author = sql.raw(`${name}.author_id`);
  return sql`(not ${isHidden(author)} or exists (
    with recursive below(id, author_id) as (
      select d.id, d.author_id from comments d where d.parent_id = ${sql.raw(`${name}.id`)}
      union all select d.id, d.author_id from below inner join comments d on d.parent_id = below.id)
    select 1 from below where not ${isHidden(sql`below.author_id`)}))`;
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

const idList = (name: string) => listedTexts(sql.placeholder(name));

const byId = preparedQuery((db) => rows(db).where(eq(comments.id, sql.placeholder("id"))));
// For all viewers: each stream filters for its own.
const byIds = preparedQuery((db) =>
  rows(db, isSuspended(comments.authorId)).where(inArray(comments.id, idList("ids"))),
);
const pinned = preparedQuery((db) =>
  db
    .select({ id: comments.id })
    .from(comments)
    .where(and(eq(comments.blogId, sql.placeholder("blogId")), sql`comments.mark = 'pinned'`)),
);
const newestTop = preparedQuery((db) =>
  rows(db)
    .where(
      and(
        eq(comments.blogId, sql.placeholder("blogId")),
        sql`comments.parent_id is null`,
        isShown("comments"),
      ),
    )
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(sql.placeholder("limit")),
);
const olderTop = preparedQuery((db) =>
  rows(db)
    .where(
      and(
        eq(comments.blogId, sql.placeholder("blogId")),
        sql`comments.parent_id is null`,
        sql`(${comments.createdAt}, ${comments.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`,
        isShown("comments"),
      ),
    )
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(sql.placeholder("limit")),
);
// Reads only the needed part of a thread's index.
const firstReplies = preparedQuery((db) =>
  rows(db).innerJoin(
    textsAs(sql.placeholder("roots"), "root"),
    sql`${comments.id} in (
        select c.id from comments c where c.root_id = root.value and c.id <> c.root_id and ${isShown("c")}
        order by c.created_at, c.id limit ${sql.placeholder("limit")})`,
  ),
);
const place = sql`(${comments.createdAt}, ${comments.id})`;
const placeAsked = sql`(${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`;
const inThread = and(eq(comments.rootId, sql.placeholder("rootId")), sql`comments.id <> comments.root_id`);
const repliesAfter = preparedQuery((db) =>
  rows(db)
    .where(and(inThread, sql`${place} > ${placeAsked}`, isShown("comments")))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(sql.placeholder("limit")),
);
const repliesBefore = preparedQuery((db) =>
  rows(db)
    .where(and(inThread, sql`${place} < ${placeAsked}`, isShown("comments")))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(sql.placeholder("limit")),
);
const placesAfter = preparedQuery((db) =>
  db
    .select({ id: comments.id, parentId: comments.parentId, createdAt: comments.createdAt })
    .from(comments)
    .where(and(inThread, sql`${place} > ${placeAsked}`))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(sql.placeholder("limit")),
);
const ancestors = preparedQuery((db) =>
  rows(db).where(
    inArray(
      comments.id,
      sql`(with recursive up(id, parent_id, steps) as (
          select c.id, c.parent_id, 0 from comments c where c.id = ${sql.placeholder("id")}
          union all
          select c.id, c.parent_id, up.steps + 1 from comments c join up on c.id = up.parent_id
          where up.steps < ${sql.placeholder("most")}
        ) select id from up where steps > 0)`,
    ),
  ),
);
const threadSizes = (isVisible: SQL) =>
  preparedQuery((db) =>
    db
      .select({ rootId: comments.rootId, size: count() })
      .from(comments)
      .where(and(inArray(comments.rootId, idList("roots")), isVisible))
      .groupBy(comments.rootId),
  );
const sizesFor = {
  viewer: threadSizes(isShown("comments")),
  all: threadSizes(isShown("comments", isSuspended)),
};
const countOf = preparedQuery((db) =>
  db
    .select({ total: blogs.commentsCount })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("blogId"))),
);
const rootsAmong = preparedQuery((db) =>
  db
    .selectDistinct({ rootId: comments.rootId })
    .from(comments)
    .where(inArray(comments.id, idList("ids"))),
);
const descendants = sql`with recursive below(id) as (
  select id from comments where id in ${idList("ids")}
  union select c.id from comments c join below on c.parent_id = below.id)`;
const newestBelow = preparedQuery((db) =>
  db
    .select({ id: comments.id })
    .from(comments)
    .where(inArray(comments.id, sql`(${descendants} select id from below)`))
    .orderBy(desc(comments.createdAt), desc(comments.id)),
);
const sizeBelow = preparedQuery((db) =>
  db
    .select({ size: count() })
    .from(comments)
    .where(inArray(comments.id, sql`(${descendants} select id from below)`)),
);

export const commentById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<CommentRow | undefined> => byId(connection).get({ id, viewer: viewerId });
export const commentsByIds = async (connection: Connection, ids: string[]): Promise<CommentRow[]> =>
  byIds(connection).all({ ids: JSON.stringify(ids), viewer: null });

export const pinnedOf = async (connection: Connection, blogId: string): Promise<string | undefined> =>
  (await pinned(connection).get({ blogId }))?.id;

/** Returns top-level comments, newest first, older than `before`. */
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

/** Returns each thread's first `limit` replies at any depth, unordered. */
export const listFirstReplies = async (
  connection: Connection,
  roots: string[],
  viewerId: string | null,
  limit: number,
): Promise<CommentRow[]> =>
  firstReplies(connection).all({ roots: JSON.stringify(roots), viewer: viewerId, limit });

/** Returns replies at any depth: `after` a position oldest first, `before` it newest first. */
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

/** Returns ids and parents of comments after a position, oldest first. */
export const listIdsAfter = async (connection: Connection, rootId: string, limit: number, after: TimeAndId) =>
  placesAfter(connection).all({ rootId, limit, createdAt: after.createdAt, id: after.id });

/** Returns up to `limit` ancestors, unordered. */
export const listAncestors = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
  limit: number,
): Promise<CommentRow[]> => ancestors(connection).all({ id, viewer: viewerId, most: limit });

/**
 * Counts the comments of each thread that a viewer sees, with the root; for `undefined`, before each live stream's own filter.
 */
export async function sizesOfThreads(
  connection: Connection,
  roots: string[],
  viewerId: string | null | undefined,
): Promise<Map<string, number>> {
  const query = sizesFor[viewerId === undefined ? "all" : "viewer"](connection);
  const sizes = await query.all({ roots: JSON.stringify(roots), viewer: viewerId ?? null });
  return new Map(sizes.map(({ rootId, size }) => [rootId, size]));
}

export const countComments = async (connection: Connection, blogId: string): Promise<number> =>
  (await countOf(connection).get({ blogId }))?.total ?? 0;

export const rootsOf = async (connection: Connection, ids: string[]): Promise<string[]> =>
  (await rootsAmong(connection).all({ ids: JSON.stringify(ids) })).map(({ rootId }) => rootId);

/** Returns these ids and those of all replies below, newest first: replies before parents. */
export const idsWithDescendants = async (connection: Connection, ids: string[]): Promise<string[]> =>
  (await newestBelow(connection).all({ ids: JSON.stringify(ids) })).map(({ id }) => id);

/** Counts the replies at any depth. */
export const countDescendants = async (connection: Connection, id: string): Promise<number> =>
  ((await sizeBelow(connection).get({ ids: JSON.stringify([id]) }))?.size ?? 1) - 1;

const insertRow = preparedQuery((db) =>
  db.insert(comments).values({
    id: sql.placeholder("id"),
    blogId: sql.placeholder("blogId"),
    parentId: sql.placeholder("parentId"),
    rootId: sql.placeholder("rootId"),
    authorId: sql.placeholder("authorId"),
    guestName: sql.placeholder("guestName"),
    text: sql.placeholder("text"),
    createdAt: sql.placeholder("createdAt"),
  }),
);

export type NewComment = Pick<NewCommentRow, "id" | "blogId" | "rootId" | "text" | "createdAt"> & {
  parentId: string | null;
  authorId: string;
};

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
  await tx.drizzle.update(comments).set(change).where(eq(comments.id, id));
}

/** Sets a like and the count. Returns whether anything changed. */
export async function setCommentLike(
  tx: Connection,
  commentId: string,
  userId: string,
  liked: boolean,
  now: number,
): Promise<boolean> {
  const changed = await changes(
    liked
      ? tx.drizzle.insert(commentLikes).values({ commentId, userId, createdAt: now }).onConflictDoNothing()
      : tx.drizzle
          .delete(commentLikes)
          .where(and(eq(commentLikes.commentId, commentId), eq(commentLikes.userId, userId))),
  );
  if (changed > 0)
    await tx.drizzle
      .update(comments)
      .set({ likesCount: sql`likes_count + ${liked ? 1 : -1}` })
      .where(eq(comments.id, commentId));
  return changed > 0;
}
