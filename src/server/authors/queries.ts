import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { blogTitle } from "../database/blog-title.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogAuthors } from "../database/schema/authors.ts";
import { blogs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/profiles.ts";
import { unmuted } from "../blocks/mute-queries.ts";
import { personColumns } from "../profiles/queries.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/* Co-authors of blogs and invitations to co-author (docs/decisions/0021-co-authors-and-carets.md). */

const viewer = sql.placeholder("viewer");
const blogId = sql.placeholder("blogId");
const userId = sql.placeholder("userId");
const membership = (id: string | typeof blogId, person: string | typeof userId) =>
  and(eq(blogAuthors.blogId, id), eq(blogAuthors.userId, person));

const authors = preparedQuery((db) =>
  db
    .select({
      ...personColumns,
      invitedAt: blogAuthors.invitedAt,
      acceptedAt: blogAuthors.acceptedAt,
      isVisible: sql<number>`${isVisibleTo(users.id)}`,
    })
    .from(blogAuthors)
    .innerJoin(users, eq(users.id, blogAuthors.userId))
    .where(eq(blogAuthors.blogId, blogId))
    .orderBy(
      sql`${blogAuthors.acceptedAt} is null`,
      asc(blogAuthors.acceptedAt),
      asc(blogAuthors.invitedAt),
      asc(blogAuthors.userId),
    ),
);
const role = preparedQuery((db) =>
  db.select({ acceptedAt: blogAuthors.acceptedAt }).from(blogAuthors).where(membership(blogId, userId)),
);
const invitations = preparedQuery((db) =>
  db
    .select({ id: blogs.id, title: blogTitle, by: personColumns, invitedAt: blogAuthors.invitedAt })
    .from(blogAuthors)
    .innerJoin(blogs, eq(blogs.id, blogAuthors.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(
      and(
        eq(blogAuthors.userId, viewer),
        isNull(blogAuthors.acceptedAt),
        isVisibleTo(users.id),
        unmuted(users.id),
      ),
    )
    .orderBy(desc(blogAuthors.invitedAt), desc(blogAuthors.blogId))
    .limit(sql.placeholder("limit")),
);

/** Returns the co-authors as they joined, then the invited, each with their visibility to the viewer. */
export const coAuthorsAndInvited = async (
  connection: Connection,
  id: string,
  viewerId: string | null = null,
) => authors(connection).all({ blogId: id, viewer: viewerId });

/** Returns a person's role in another person's blog, if any. */
export async function authorRole(
  connection: Connection,
  id: string,
  person: string,
): Promise<"author" | "invited" | undefined> {
  const row = await role(connection).get({ blogId: id, userId: person });
  return row && (row.acceptedAt === null ? "invited" : "author");
}

export const invitationsOf = async (connection: Connection, person: string, limit: number) =>
  invitations(connection).all({ viewer: person, limit });

export async function insertInvitation(
  tx: Connection,
  id: string,
  person: string,
  now: number,
): Promise<void> {
  await tx.drizzle.insert(blogAuthors).values({ blogId: id, userId: person, invitedAt: now });
}

export async function acceptInvitation(
  tx: Connection,
  id: string,
  person: string,
  now: number,
): Promise<void> {
  await tx.drizzle.update(blogAuthors).set({ acceptedAt: now }).where(membership(id, person));
}

export async function deleteAuthor(tx: Connection, id: string, person: string): Promise<void> {
  await tx.drizzle.delete(blogAuthors).where(membership(id, person));
}

/** Returns ids of the owner's blogs that the person co-authors or is invited to. */
export const blogsSharedWith = async (
  connection: Connection,
  owner: string,
  person: string,
): Promise<string[]> => {
  const rows = await connection.drizzle
    .select({ id: blogAuthors.blogId })
    .from(blogAuthors)
    .innerJoin(blogs, eq(blogs.id, blogAuthors.blogId))
    .where(and(eq(blogAuthors.userId, person), eq(blogs.authorId, owner)));
  return rows.map(({ id }) => id);
};

/** Returns up to `limit` blogs that the person co-authors or is invited to. */
export const someCoAuthoredIds = async (
  connection: Connection,
  person: string,
  limit: number,
): Promise<string[]> => {
  const rows = await connection.drizzle
    .select({ id: blogAuthors.blogId })
    .from(blogAuthors)
    .where(eq(blogAuthors.userId, person))
    .limit(limit);
  return rows.map(({ id }) => id);
};

export const coAuthorIds = async (connection: Connection, id: string): Promise<string[]> =>
  (await coAuthorsAndInvited(connection, id)).flatMap((row) => (row.acceptedAt === null ? [] : [row.id]));
