import { and, count, desc, eq, inArray, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hot, type Connection } from "../database/connection.ts";
import { commentLikes, comments } from "../database/schema/comments.ts";
import { blogLikes, blogSaves, follows } from "../database/schema/social.ts";
import { users } from "../database/schema/users.ts";
import { shownAs } from "../comments/queries.ts";
import { personColumns, standsInSight } from "../users/queries.ts";
import { isHiddenFrom, isVisibleTo } from "../users/block-queries.ts";

/* What /api/v1 shows beside what the areas do: lists of ids next to exact counts, newest first. One statement for however many. */

const limit = sql.placeholder("limit");
const viewer = sql.placeholder("viewer");
const wanted = sql`json_each(${sql.placeholder("ids")}) as wanted`;
const idsOf = { mapWith: (text: string) => JSON.parse(text) as string[] };

/** Stands before the id of somebody whom the viewer may not know; and of whom followers may, where nobody asks. */
export const hiddenMark = "-";
export const closedMark = "~";

/** Of each of `ids` the newest `each` people, marked where the viewer may not know them. */
const peopleOf = (
  table: typeof blogLikes | typeof blogSaves | typeof commentLikes,
  key: SQLiteColumn,
  shows: SQLiteColumn,
) =>
  hot((db) =>
    db
      .select({
        id: sql<string>`wanted.value`,
        people:
          sql`(select json_group_array(case when ${standsInSight(users, shows)} then ${users.id} when ${viewer} is null and ${shows} = 1 then ${closedMark} || ${users.id} else ${hiddenMark} || ${users.id} end)
          from (select user_id from ${table} where ${key} = wanted.value order by created_at desc limit ${sql.placeholder("each")}) newest
          cross join ${users} where ${users.id} = newest.user_id)`.mapWith(idsOf.mapWith),
      })
      .from(wanted)
      .prepare(),
  );
const people = {
  likes: peopleOf(blogLikes, blogLikes.blogId, users.showLikedBlogs),
  saves: peopleOf(blogSaves, blogSaves.blogId, users.showSavedBlogs),
  commentLikes: peopleOf(commentLikes, commentLikes.commentId, users.showLikedBlogs),
};
const topComments = hot((db) =>
  db
    .select({
      id: sql<string>`wanted.value`,
      comments: sql`(select json_group_array(id) from (select id from ${comments}
        where blog_id = wanted.value and parent_id is null and ${shownAs("comments")} order by created_at desc limit ${sql.placeholder("each")}))`.mapWith(
        idsOf.mapWith,
      ),
    })
    .from(wanted)
    .prepare(),
);

/** Of a blog those after one whose texts and what stands around them take no more than `bytes`; sizes are known without reading the texts. */
const first = sql`(select number, sum(octet_length(text) + 250) over (order by number rows unbounded preceding) as bytes
  from comments where blog_id = ${sql.placeholder("id")} and number > ${sql.placeholder("after")} and ${shownAs("comments")} order by number limit ${limit}) as first`;
const ofBlog = hot((db) =>
  db
    .select({
      number: comments.number,
      id: comments.id,
      parentId: comments.parentId,
      text: comments.text,
      createdAt: comments.createdAt,
      likesCount: comments.likesCount,
      guestName: comments.guestName,
      author: personColumns,
      repliesCount: sql<number>`(select count(*) from comments reply where reply.parent_id = ${comments.id} and ${shownAs("reply")})`,
      isHidden: sql<number>`${isHiddenFrom(comments.authorId)}`,
      liked: sql<number>`exists (select 1 from comment_likes where comment_id = ${comments.id} and user_id = ${viewer})`,
    })
    .from(first)
    .innerJoin(comments, sql`${comments.number} = first.number`)
    .leftJoin(users, eq(users.id, comments.authorId))
    .where(sql`first.bytes <= ${sql.placeholder("bytes")}`)
    .orderBy(sql`first.number`)
    .prepare(),
);
const replies = hot((db) =>
  db
    .select({ total: count() })
    .from(comments)
    .where(and(eq(comments.parentId, sql.placeholder("id")), shownAs("comments")))
    .prepare(),
);
const followerIds = hot((db) =>
  db
    .select({ id: follows.followerId })
    .from(follows)
    .where(and(eq(follows.followedId, sql.placeholder("id")), isVisibleTo(follows.followerId)))
    .orderBy(desc(follows.createdAt))
    .limit(limit)
    .prepare(),
);
const followingIds = hot((db) =>
  db
    .select({ id: follows.followedId })
    .from(follows)
    .where(and(eq(follows.followerId, sql.placeholder("id")), isVisibleTo(follows.followedId)))
    .orderBy(desc(follows.createdAt))
    .limit(limit)
    .prepare(),
);

const ids = (rows: { id: string }[]) => rows.map((row) => row.id);

const followedAmong = hot((db) =>
  db
    .select({ id: follows.followedId })
    .from(follows)
    .where(
      and(
        eq(follows.followerId, viewer),
        inArray(follows.followedId, sql`(select value from json_each(${sql.placeholder("ids")}))`),
      ),
    )
    .prepare(),
);
/** Whom of these the viewer follows. */
export const followedOf = async (
  connection: Connection,
  viewerId: string,
  among: string[],
): Promise<string[]> =>
  among.length === 0
    ? []
    : ids(await followedAmong(connection).all({ viewer: viewerId, ids: JSON.stringify(among) }));

export type BlogCommentRow = Awaited<ReturnType<ReturnType<typeof ofBlog>["all"]>>[number];
export type PeopleOf = keyof typeof people;

/** Of each blog or comment the newest people, marked (`hiddenMark`) where the viewer may not know them. */
export const newestPeople = async (
  connection: Connection,
  of: PeopleOf,
  wantedIds: string[],
  at: { viewer: string | null; each: number },
): Promise<Map<string, string[]>> =>
  new Map(
    (await people[of](connection).all({ ids: JSON.stringify(wantedIds), ...at })).map((row) => [
      row.id,
      row.people,
    ]),
  );
/** Of each blog the ids of its newest comments that answer none. */
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
/** Comments and replies of a blog after the one of that number, in the order they were written, `bytes` of them at most. */
export const commentsOfBlog = async (
  connection: Connection,
  id: string,
  at: { viewer: string | null; after: number; limit: number; bytes: number },
): Promise<BlogCommentRow[]> => ofBlog(connection).all({ id, ...at });
/** How many answer a comment. */
export const countReplies = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<number> => (await replies(connection).get({ id, viewer: viewerId }))?.total ?? 0;

interface Those {
  viewer: string | null;
  limit: number;
}
export const followerIdsOf = async (connection: Connection, id: string, those: Those) =>
  ids(await followerIds(connection).all({ id, ...those }));
export const followingIdsOf = async (connection: Connection, id: string, those: Those) =>
  ids(await followingIds(connection).all({ id, ...those }));
