import { and, asc, count, eq, sql } from "drizzle-orm";
import { hot, type Connection, type Drizzle } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { comments, heldComments } from "../database/schema/comments.ts";
import { users } from "../database/schema/users.ts";
import { isVisibleTo } from "../users/block-queries.ts";

const rows = (db: Drizzle) =>
  db
    .select({
      id: heldComments.id,
      blogId: heldComments.blogId,
      parentId: heldComments.parentId,
      rootId: comments.rootId,
      text: heldComments.text,
      createdAt: heldComments.createdAt,
      forLink: heldComments.forLink,
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
    })
    .from(heldComments)
    .innerJoin(users, eq(users.id, heldComments.authorId))
    .leftJoin(comments, eq(comments.id, heldComments.parentId));

/** A comment that waits to be let in. */
export type HeldRow = Awaited<ReturnType<ReturnType<typeof byId>["all"]>>[number];

const byId = hot((db) =>
  rows(db)
    .where(and(eq(heldComments.id, sql.placeholder("id")), isVisibleTo(heldComments.authorId)))
    .prepare(),
);
const ofBlog = hot((db) =>
  rows(db)
    .where(and(eq(heldComments.blogId, sql.placeholder("blogId")), isVisibleTo(heldComments.authorId)))
    .orderBy(asc(heldComments.createdAt), asc(heldComments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const ofViewer = hot((db) =>
  rows(db)
    .where(
      and(
        eq(heldComments.authorId, sql.placeholder("viewer")),
        eq(heldComments.blogId, sql.placeholder("blogId")),
      ),
    )
    .orderBy(asc(heldComments.createdAt), asc(heldComments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** One that waits, of somebody who is there for the viewer. */
export const heldById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<HeldRow | undefined> => byId(connection).get({ id, viewer: viewerId });

/** Those below a blog, the oldest first: all of them, or the viewer's own. */
export const listHeld = async (
  connection: Connection,
  blogId: string,
  viewerId: string,
  { own, limit }: { own: boolean; limit: number },
): Promise<HeldRow[]> => (own ? ofViewer : ofBlog)(connection).all({ blogId, viewer: viewerId, limit });

const inQueue = hot((db) =>
  db
    .select({ total: count() })
    .from(heldComments)
    .where(and(eq(heldComments.blogId, sql.placeholder("blogId")), isVisibleTo(heldComments.authorId)))
    .prepare(),
);
/** How many wait below a blog as far as the viewer, its author, can answer them. */
export const countInQueue = async (
  connection: Connection,
  blogId: string,
  viewerId: string,
): Promise<number> => (await inQueue(connection).get({ blogId, viewer: viewerId }))?.total ?? 0;

/** How many of one writer wait below a blog. */
export const countHeld = async (connection: Connection, blogId: string, authorId: string): Promise<number> =>
  connection.drizzle.$count(
    heldComments,
    and(eq(heldComments.authorId, authorId), eq(heldComments.blogId, blogId)),
  );

/** Has what waits answer none of these comments, which go, any more. */
export async function cutLoose(tx: Connection, commentIds: string[]): Promise<void> {
  await tx.drizzle
    .update(heldComments)
    .set({ parentId: null })
    .where(sql`${heldComments.parentId} in (select value from json_each(${JSON.stringify(commentIds)}))`)
    .run();
}

/** Deletes some of what waits of an account that goes; answers with below which blogs, and whose these are. */
export async function deleteHeldOf(
  tx: Connection,
  authorId: string,
  limit: number,
): Promise<{ blogId: string; ownerId: string }[]> {
  const some = await tx.drizzle
    .select({ id: heldComments.id, blogId: blogs.id, ownerId: blogs.authorId })
    .from(heldComments)
    .innerJoin(blogs, eq(blogs.id, heldComments.blogId))
    .where(eq(heldComments.authorId, authorId))
    .limit(limit)
    .all();
  const ids = JSON.stringify(some.map(({ id }) => id));
  await tx.drizzle
    .delete(heldComments)
    .where(sql`${heldComments.id} in (select value from json_each(${ids}))`)
    .run();
  return some;
}

/** So many of somebody's newest comments are looked through for a link. */
export const looked = 500;
const perhapsLinked = hot((db) =>
  db
    .select({
      text: sql<string>`case when lower(c.text) like '%http://%' or lower(c.text) like '%https://%'
        or lower(c.text) like '%www.%' then c.text else '' end`,
    })
    .from(
      sql`(select ${comments.text} as text, ${comments.blogId} as blog_id from ${comments}
        where ${comments.authorId} = ${sql.placeholder("author")} and ${comments.deletedAt} is null
        order by ${comments.number} desc limit ${sql.raw(String(looked))}) c`,
    )
    .innerJoin(blogs, sql`blogs.id = c.blog_id and blogs.author_id <> ${sql.placeholder("author")}`)
    .prepare(),
);
/** Somebody's newest comments below blogs of somebody else's: the texts that may have a link, for the others nothing. */
export const textsPerhapsLinked = async (connection: Connection, authorId: string): Promise<string[]> =>
  (await perhapsLinked(connection).all({ author: authorId })).map(({ text }) => text);

export async function insertHeld(tx: Connection, held: typeof heldComments.$inferInsert): Promise<void> {
  await tx.drizzle.insert(heldComments).values(held).run();
}

export async function deleteHeld(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(heldComments).where(eq(heldComments.id, id)).run();
}
