import { and, asc, eq, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staffLimits } from "../../shared/staff-limits.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { comments, pendingComments } from "../database/schema/comments.ts";
import { users } from "../database/schema/profiles.ts";
import { personColumns } from "../profiles/queries.ts";
import { isVisibleTo } from "../blocks/queries.ts";

const owner = alias(users, "owner");
const ownerColumns = { id: owner.id, username: owner.username, name: owner.name, pictureId: owner.pictureId };
const roles = { isAdmin: users.isAdmin, isModerator: users.isModerator };
const isAmong = (column: typeof blogs.seq | typeof comments.seq) =>
  sql`${column} in (select value from json_each(${sql.placeholder("numbers")}))`;
/** Public by its author's settings; moderators also find limited and suspended people. */
const isPublic = (account: typeof users | typeof owner) =>
  and(eq(blogs.draft, false), eq(blogs.private, false), eq(account.private, false));

const blogRows = preparedQuery((db) =>
  db
    .select({
      seq: blogs.seq,
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
    .where(and(isAmong(blogs.seq), sql`(${isPublic(users)} or ${blogs.takedownReason} is not null)`))
    .prepare(),
);
/** Returns blogs by number that moderators can see. */
export const staffBlogs = async (connection: Connection, numbers: number[], viewerId: string) =>
  blogRows(connection).all({ numbers: JSON.stringify(numbers), viewer: viewerId });
export type StaffBlogRow = Awaited<ReturnType<typeof staffBlogs>>[number];

const commentRows = preparedQuery((db) =>
  db
    .select({
      seq: comments.seq,
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
    .where(and(isAmong(comments.seq), isNull(comments.deletedAt), isPublic(owner)))
    .prepare(),
);
/** Returns comments by number that moderators can see. */
export const staffComments = async (connection: Connection, numbers: number[], viewerId: string) =>
  commentRows(connection).all({ numbers: JSON.stringify(numbers), viewer: viewerId });
export type StaffCommentRow = Awaited<ReturnType<typeof staffComments>>[number];

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
    .limit(sql.placeholder("limit"))
    .prepare(),
);
/** Returns comments held for a first link that moderators can approve. */
export const listPendingForLink = async (connection: Connection, limit: number) =>
  pendingRows(connection).all({ limit, viewer: null });
export type StaffPendingRow = Awaited<ReturnType<typeof listPendingForLink>>[number];
