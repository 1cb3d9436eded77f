import { and, asc, desc, eq, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import { alias } from "../database/schema/columns.ts";
import type { BlogState } from "../../shared/staff-content.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { rowsWith, preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { comments, pendingComments } from "../database/schema/comments.ts";
import { users } from "../database/schema/profiles.ts";
import { personColumns } from "../profiles/queries.ts";
import { isVisibleTo } from "../blocks/queries.ts";

const owner = alias(users, "owner");
const ownerColumns = { id: owner.id, username: owner.username, name: owner.name, pictureId: owner.pictureId };
const roles = { isAdmin: users.isAdmin, isModerator: users.isModerator };
interface ListOptions {
  viewerId: string;
  /** Null for everyone. */
  authorId: string | null;
  limit: number;
  offset: number;
}
/** Public by its author's settings; moderators also see those of limited and suspended people. */
const isPublic = (account: typeof users | typeof owner) =>
  and(eq(blogs.draft, false), eq(blogs.private, false), eq(account.private, false));

const takenDown = sql`blogs.takedown_reason is not null`;
/** As in the index `blogs_staff`. */
const isListed = sql`((blogs.draft = 0 and blogs.private = 0) or blogs.takedown_reason is not null)`;
const blogStatesBy: Record<BlogState, SQL | undefined> = {
  all: or(takenDown, eq(users.private, false)),
  public: isPublic(users),
  "taken-down": takenDown,
};

/** Returns public and taken-down blogs, newest first. */
export async function listBlogs(
  connection: Connection,
  { viewerId, authorId, state, limit, offset }: ListOptions & { state: BlogState },
) {
  // The `+` makes SQLite read the few blogs of an index of their own and sort them, instead of scanning all by date.
  const areFew = state === "taken-down" && authorId === null;
  const order = [areFew ? sql`+blogs.published_at desc` : desc(blogs.publishedAt), desc(blogs.id)];
  return rowsWith(
    connection.drizzle
      .select({
        id: blogs.id,
        slug: blogs.slug,
        title: blogs.title,
        beginning: sql<string>`substr(${blogs.text}, 1, ${sql.raw(String(staffLimits.reports.excerpt))})`,
        at: blogs.publishedAt,
        takedownReason: blogs.takedownReason,
        commentsCount: blogs.commentsCount,
        author: personColumns,
        roles,
        isVisible: sql<number>`${isVisibleTo(blogs.authorId)}`,
      })
      .from(blogs)
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(
        and(
          areFew ? undefined : isListed,
          blogStatesBy[state],
          authorId === null ? undefined : eq(blogs.authorId, authorId),
        ),
      )
      .orderBy(...order)
      .limit(limit)
      .offset(offset),
    { viewer: viewerId },
  );
}
export type StaffBlogRow = Awaited<ReturnType<typeof listBlogs>>[number];

/** The newest comments that are looked through for public ones, so that a page of a mostly private site costs no more. */
const maxExamined = 5_000;

/** Returns comments below public blogs, newest first: of one person all, of everyone those among the site's newest. */
export async function listComments(
  connection: Connection,
  { viewerId, authorId, limit, offset }: ListOptions,
) {
  return rowsWith(
    connection.drizzle
      .select({
        id: comments.id,
        text: comments.text,
        at: comments.createdAt,
        slug: blogs.slug,
        title: blogs.title,
        owner: ownerColumns,
        guestName: comments.guestName,
        author: personColumns,
        roles,
        isVisible: sql<number>`(${isVisibleTo(blogs.authorId)} and ${isVisibleTo(sql`${comments.authorId}`)})`,
      })
      .from(comments)
      .innerJoin(blogs, eq(blogs.id, comments.blogId))
      .innerJoin(owner, eq(owner.id, blogs.authorId))
      .leftJoin(users, eq(users.id, comments.authorId))
      .where(
        and(
          isNull(comments.deletedAt),
          isPublic(owner),
          authorId === null
            ? sql`${comments.seq} > (select max(seq) from ${comments}) - ${maxExamined}`
            : eq(comments.authorId, authorId),
        ),
      )
      .orderBy(desc(comments.seq))
      .limit(limit)
      .offset(offset),
    { viewer: viewerId },
  );
}
export type StaffCommentRow = Awaited<ReturnType<typeof listComments>>[number];

const pendingRows = preparedQuery((db) =>
  db
    .select({
      id: pendingComments.id,
      text: pendingComments.text,
      at: pendingComments.createdAt,
      slug: blogs.slug,
      title: blogs.title,
      owner: ownerColumns,
      author: personColumns,
    })
    .from(pendingComments)
    .innerJoin(blogs, eq(blogs.id, pendingComments.blogId))
    .innerJoin(owner, eq(owner.id, blogs.authorId))
    .innerJoin(users, eq(users.id, pendingComments.authorId))
    .where(
      and(
        sql`${pendingComments}.for_link = 1`,
        isPublic(owner),
        ne(blogs.commentsFrom, "approved"),
        isVisibleTo(pendingComments.authorId),
      ),
    )
    .orderBy(asc(pendingComments.createdAt), asc(pendingComments.id))
    .limit(sql.placeholder("limit")),
);
/** Returns comments held for a first link that moderators can approve. */
export const listPendingForLink = async (connection: Connection, limit: number) =>
  pendingRows(connection).all({ limit, viewer: null });
export type StaffPendingRow = Awaited<ReturnType<typeof listPendingForLink>>[number];
