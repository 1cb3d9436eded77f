import { and, count, desc, eq, sql } from "drizzle-orm";
import type { StoredColumn } from "../database/schema/columns.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { jsonArrayOf, textsAs } from "../database/dialect.ts";
import { commentLikes, comments } from "../database/schema/comments.ts";
import { blogLikes, blogSaves } from "../database/schema/likes.ts";
import { follows } from "../database/schema/follows.ts";
import { users } from "../database/schema/profiles.ts";
import { isShown } from "../comments/queries.ts";
import { personColumns, isVisibleInList } from "../profiles/queries.ts";
import { isHiddenFrom, isVisibleTo } from "../blocks/queries.ts";

/* The lists of ids and exact counts of /api/v1, newest first, each one statement for any number of blogs. */

const limit = sql.placeholder("limit");
const viewer = sql.placeholder("viewer");
const requestedIds = textsAs(sql.placeholder("ids"), "wanted");
const idsOf = { mapWith: (text: string) => JSON.parse(text) as string[] };

/** Prefix of an id hidden from the viewer. */
export const hiddenMark = "-";

/** Selects the newest `each` people of each id, marked if hidden from the viewer. */
const peopleOf = (
  table: typeof blogLikes | typeof blogSaves | typeof commentLikes,
  key: StoredColumn,
  shows: StoredColumn,
) =>
  preparedQuery((db) =>
    db
      .select({
        id: sql<string>`wanted.value`,
        people:
          sql`(select ${jsonArrayOf(sql`case when ${isVisibleInList(users, shows)} then ${users.id} else ${hiddenMark} || ${users.id} end`)}
          from (select user_id from ${table} where ${key} = wanted.value order by created_at desc limit ${sql.placeholder("each")}) newest
          cross join ${users} where ${users.id} = newest.user_id)`.mapWith(idsOf.mapWith),
      })
      .from(requestedIds),
  );
const people = {
  likes: peopleOf(blogLikes, blogLikes.blogId, users.showLikedBlogs),
  saves: peopleOf(blogSaves, blogSaves.blogId, users.showSavedBlogs),
  commentLikes: peopleOf(commentLikes, commentLikes.commentId, users.showLikedBlogs),
};
const topComments = preparedQuery((db) =>
  db
    .select({
      id: sql<string>`wanted.value`,
      comments: sql`(select ${jsonArrayOf(sql`id`)} from (select id from ${comments}
        where blog_id = wanted.value and parent_id is null and ${isShown("comments")} order by created_at desc limit ${sql.placeholder("each")}) newest)`.mapWith(
        idsOf.mapWith,
      ),
    })
    .from(requestedIds),
);

/** A blog's first comments up to a number and to bytes, 250 each of them overhead; lengths are known without reading the texts. */
const first = sql`(select seq, sum(octet_length(text) + 250) over (order by seq rows unbounded preceding) as bytes
  from comments where blog_id = ${sql.placeholder("id")} and ${isShown("comments")} order by seq limit ${limit}) as first`;
const ofBlog = preparedQuery((db) =>
  db
    .select({
      id: comments.id,
      parentId: comments.parentId,
      text: comments.text,
      createdAt: comments.createdAt,
      likesCount: comments.likesCount,
      guestName: comments.guestName,
      author: personColumns,
      repliesCount: sql<number>`(select count(*) from comments reply where reply.parent_id = ${comments.id} and ${isShown("reply")})`,
      isHidden: sql<number>`${isHiddenFrom(comments.authorId)}`,
      liked: sql<number>`exists (select 1 from comment_likes where comment_id = ${comments.id} and user_id = ${viewer})`,
    })
    .from(first)
    .innerJoin(comments, sql`${comments.seq} = first.seq`)
    .leftJoin(users, eq(users.id, comments.authorId))
    .where(sql`first.bytes <= ${sql.placeholder("bytes")}`)
    .orderBy(sql`first.seq`),
);
const replies = preparedQuery((db) =>
  db
    .select({ total: count() })
    .from(comments)
    .where(and(eq(comments.parentId, sql.placeholder("id")), isShown("comments"))),
);
const followerIds = preparedQuery((db) =>
  db
    .select({ id: follows.followerId })
    .from(follows)
    .where(and(eq(follows.followedId, sql.placeholder("id")), isVisibleTo(follows.followerId)))
    .orderBy(desc(follows.createdAt))
    .limit(limit),
);
const followingIds = preparedQuery((db) =>
  db
    .select({ id: follows.followedId })
    .from(follows)
    .where(and(eq(follows.followerId, sql.placeholder("id")), isVisibleTo(follows.followedId)))
    .orderBy(desc(follows.createdAt))
    .limit(limit),
);

const ids = (rows: { id: string }[]) => rows.map((row) => row.id);

type BlogCommentRow = Awaited<ReturnType<ReturnType<typeof ofBlog>["all"]>>[number];
type PeopleOf = keyof typeof people;

/** Returns the newest people of each blog or comment, with marks if hidden from the viewer. */
export const newestPeople = async (
  connection: Connection,
  list: PeopleOf,
  wantedIds: string[],
  at: { viewer: string | null; each: number },
): Promise<Map<string, string[]>> =>
  new Map(
    (await people[list](connection).all({ ids: JSON.stringify(wantedIds), ...at })).map((row) => [
      row.id,
      row.people,
    ]),
  );
/** Returns the ids of each blog's newest top-level comments. */
export const newestComments = async (
  connection: Connection,
  blogIds: string[],
  at: { viewer: string | null; each: number },
): Promise<Map<string, string[]>> =>
  new Map(
    (await topComments(connection).all({ ids: JSON.stringify(blogIds), ...at })).map((row) => [
      row.id,
      row.comments,
    ]),
  );
/** Returns a blog's first `limit` comments, in the order of writing, up to `bytes`. */
export const commentsOfBlog = async (
  connection: Connection,
  id: string,
  at: { viewer: string | null; limit: number; bytes: number },
): Promise<BlogCommentRow[]> => ofBlog(connection).all({ id, ...at });
export const countReplies = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<number> => (await replies(connection).get({ id, viewer: viewerId }))?.total ?? 0;

interface ListOptions {
  viewer: string | null;
  limit: number;
}
export const followerIdsOf = async (connection: Connection, id: string, options: ListOptions) =>
  ids(await followerIds(connection).all({ id, ...options }));
export const followingIdsOf = async (connection: Connection, id: string, options: ListOptions) =>
  ids(await followingIds(connection).all({ id, ...options }));
