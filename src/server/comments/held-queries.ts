import { and, asc, eq, sql } from "drizzle-orm";
import { hot, type Connection, type Drizzle } from "../database/connection.ts";
import { comments, heldComments } from "../database/schema/comments.ts";
import { users } from "../database/schema/users.ts";
import { inSight } from "../users/wall-queries.ts";

const rows = (db: Drizzle) =>
  db
    .select({
      id: heldComments.id,
      blogId: heldComments.blogId,
      parentId: heldComments.parentId,
      rootId: comments.rootId,
      text: heldComments.text,
      createdAt: heldComments.createdAt,
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
    })
    .from(heldComments)
    .innerJoin(users, eq(users.id, heldComments.authorId))
    .leftJoin(comments, eq(comments.id, heldComments.parentId));

/** A comment that waits to be let in. */
export type HeldRow = Awaited<ReturnType<ReturnType<typeof byId>["all"]>>[number];

const byId = hot((db) =>
  rows(db)
    .where(and(eq(heldComments.id, sql.placeholder("id")), inSight(heldComments.authorId)))
    .prepare(),
);
const ofBlog = hot((db) =>
  rows(db)
    .where(and(eq(heldComments.blogId, sql.placeholder("blogId")), inSight(heldComments.authorId)))
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
  viewerId: string,
): Promise<HeldRow | undefined> => byId(connection).get({ id, viewer: viewerId });

/** Those below a blog, the oldest first: all of them, or the viewer's own. */
export const listHeld = async (
  connection: Connection,
  blogId: string,
  viewerId: string,
  { own, limit }: { own: boolean; limit: number },
): Promise<HeldRow[]> => (own ? ofViewer : ofBlog)(connection).all({ blogId, viewer: viewerId, limit });

/** How many wait below a blog, of all or of one writer. */
export const countHeld = async (connection: Connection, blogId: string, authorId?: string): Promise<number> =>
  connection.drizzle.$count(
    heldComments,
    and(eq(heldComments.blogId, blogId), authorId ? eq(heldComments.authorId, authorId) : undefined),
  );

export async function insertHeld(tx: Connection, held: typeof heldComments.$inferInsert): Promise<void> {
  await tx.drizzle.insert(heldComments).values(held).run();
}

export async function deleteHeld(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(heldComments).where(eq(heldComments.id, id)).run();
}
