import { and, asc, count, eq, sql } from "drizzle-orm";
import { preparedQuery, type Connection, type Drizzle } from "../database/connection.ts";
import { listedTexts } from "../database/dialect.ts";
import { blogs } from "../database/schema/blogs.ts";
import { comments, pendingComments } from "../database/schema/comments.ts";
import { users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";

const rows = (db: Drizzle) =>
  db
    .select({
      id: pendingComments.id,
      blogId: pendingComments.blogId,
      parentId: pendingComments.parentId,
      rootId: comments.rootId,
      text: pendingComments.text,
      createdAt: pendingComments.createdAt,
      forLink: pendingComments.forLink,
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
    })
    .from(pendingComments)
    .innerJoin(users, eq(users.id, pendingComments.authorId))
    .leftJoin(comments, eq(comments.id, pendingComments.parentId));

export type PendingRow = Awaited<ReturnType<ReturnType<typeof byId>["all"]>>[number];

const byId = preparedQuery((db) =>
  rows(db).where(and(eq(pendingComments.id, sql.placeholder("id")), isVisibleTo(pendingComments.authorId))),
);
const ofBlog = preparedQuery((db) =>
  rows(db)
    .where(and(eq(pendingComments.blogId, sql.placeholder("blogId")), isVisibleTo(pendingComments.authorId)))
    .orderBy(asc(pendingComments.createdAt), asc(pendingComments.id))
    .limit(sql.placeholder("limit")),
);
const ofViewer = preparedQuery((db) =>
  rows(db)
    .where(
      and(
        eq(pendingComments.authorId, sql.placeholder("viewer")),
        eq(pendingComments.blogId, sql.placeholder("blogId")),
      ),
    )
    .orderBy(asc(pendingComments.createdAt), asc(pendingComments.id))
    .limit(sql.placeholder("limit")),
);

export const pendingById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<PendingRow | undefined> => byId(connection).get({ id, viewer: viewerId });

/** Returns a blog's pending comments, oldest first: all, or the viewer's own. */
export const listPending = async (
  connection: Connection,
  blogId: string,
  viewerId: string,
  { own, limit }: { own: boolean; limit: number },
): Promise<PendingRow[]> => (own ? ofViewer : ofBlog)(connection).all({ blogId, viewer: viewerId, limit });

const visiblePending = preparedQuery((db) =>
  db
    .select({ total: count() })
    .from(pendingComments)
    .where(and(eq(pendingComments.blogId, sql.placeholder("blogId")), isVisibleTo(pendingComments.authorId))),
);
/** Counts a blog's pending comments by writers visible to its author. */
export const countVisiblePending = async (
  connection: Connection,
  blogId: string,
  viewerId: string,
): Promise<number> => (await visiblePending(connection).get({ blogId, viewer: viewerId }))?.total ?? 0;

export const countPending = async (
  connection: Connection,
  blogId: string,
  authorId: string,
): Promise<number> =>
  connection.drizzle.$count(
    pendingComments,
    and(eq(pendingComments.authorId, authorId), eq(pendingComments.blogId, blogId)),
  );

export async function detachFrom(tx: Connection, commentIds: string[]): Promise<void> {
  await tx.drizzle
    .update(pendingComments)
    .set({ parentId: null })
    .where(sql`${pendingComments.parentId} in ${listedTexts(JSON.stringify(commentIds))}`);
}

/** Deletes up to `limit` pending comments of a deleted account. Returns their blogs with the authors. */
export async function deletePendingOf(
  tx: Connection,
  authorId: string,
  limit: number,
): Promise<{ blogId: string; ownerId: string }[]> {
  const batch = await tx.drizzle
    .select({ id: pendingComments.id, blogId: blogs.id, ownerId: blogs.authorId })
    .from(pendingComments)
    .innerJoin(blogs, eq(blogs.id, pendingComments.blogId))
    .where(eq(pendingComments.authorId, authorId))
    .limit(limit);
  const ids = JSON.stringify(batch.map(({ id }) => id));
  await tx.drizzle.delete(pendingComments).where(sql`${pendingComments.id} in ${listedTexts(ids)}`);
  return batch;
}

/** How many of a member's comments are searched for a link. */
export const linkSearchLimit = 500;
const perhapsLinked = preparedQuery((db) =>
  db
    .select({
      text: sql<string>`case when lower(c.text) like '%http://%' or lower(c.text) like '%https://%'
        or lower(c.text) like '%www.%' then c.text else '' end`,
    })
    .from(
      sql`(select ${comments.text} as text, ${comments.blogId} as blog_id from ${comments}
        where ${comments.authorId} = ${sql.placeholder("author")} and ${comments.deletedAt} is null
        order by ${comments.seq} desc limit ${sql.raw(String(linkSearchLimit))}) c`,
    )
    .innerJoin(blogs, sql`blogs.id = c.blog_id and blogs.author_id <> ${sql.placeholder("author")}`),
);
/** Returns the texts of a member's newest comments below others' blogs; those without a link as "". */
export const recentTextsWithLinks = async (connection: Connection, authorId: string): Promise<string[]> =>
  (await perhapsLinked(connection).all({ author: authorId })).map(({ text }) => text);

export async function insertPending(
  tx: Connection,
  pending: typeof pendingComments.$inferInsert,
): Promise<void> {
  await tx.drizzle.insert(pendingComments).values(pending);
}

export async function deletePending(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(pendingComments).where(eq(pendingComments.id, id));
}
