import { and, desc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { isCoAuthor, visible } from "../blogs/card-queries.ts";
import { preparedQuery, type Connection, type Drizzle } from "../database/connection.ts";
import { jsonArray, jsonArrayOfJson, listedNumbers, listedTexts } from "../database/dialect.ts";
import { newestInFullText, newestMatching } from "../database/search/newest-matching.ts";
import { blogs } from "../database/schema/blogs.ts";
import { blogLikes, blogSaves } from "../database/schema/likes.ts";
import { follows } from "../database/schema/follows.ts";
import { users } from "../database/schema/profiles.ts";
import { unmuted } from "../blocks/mute-queries.ts";
import { personColumns } from "../profiles/queries.ts";

const viewer = sql.placeholder("viewer");

const columns = {
  seq: blogs.seq,
  id: blogs.id,
  authorId: blogs.authorId,
  title: blogs.title,
  description: blogs.description,
  tags: blogs.tags,
  likesCount: blogs.likesCount,
  publishedAt: blogs.publishedAt,
};
const rows = (db: Drizzle) =>
  db
    .select({ ...columns, author: personColumns })
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId));
const asPairs = <Name>(text: unknown) => JSON.parse(text as string) as [Name, number][];

/** Published, visible, not the viewer's, and neither liked nor saved by them. */
const isNewToViewer = and(
  sql`blogs.draft = 0`,
  ne(blogs.authorId, viewer),
  sql`not ${isCoAuthor}`,
  visible,
  unmuted(blogs.authorId),
  sql`not exists (select 1 from ${blogLikes} where blog_id = ${blogs.id} and user_id = ${viewer})`,
  sql`not exists (select 1 from ${blogSaves} where blog_id = ${blogs.id} and user_id = ${viewer})`,
);

/**
 * Exported for the test of query plans. Candidates come from indexes; then some two hundred rows are read, however many follows
 * and blogs there are.
 */
export const candidates = {
  byWords: newestInFullText,
  /** What each of the 100 people followed last published last and, if shown, liked last. */
  byFollowed: preparedQuery((db) => {
    const followedPeople = db
      .select({ id: follows.followedId })
      .from(follows)
      .where(eq(follows.followerId, viewer))
      .orderBy(desc(follows.createdAt), desc(follows.followedId))
      .limit(100)
      .as("followed");
    return db
      .select({
        ...personColumns,
        written:
          sql`(select ${jsonArrayOfJson(sql`${jsonArray}(seq, published_at)`)} from (select own.seq, own.published_at from blogs own
          where own.author_id = ${followedPeople.id} and +own.draft = 0 order by own.published_at desc, own.id desc limit ${sql.placeholder("each")}) newest)`.mapWith(
            asPairs<number>,
          ),
        liked:
          sql`case when ${users.showLikedBlogs} = 1 then (select ${jsonArrayOfJson(sql`${jsonArray}(blog_id, created_at)`)} from (select liked.blog_id, liked.created_at from blog_likes liked
          where liked.user_id = ${followedPeople.id} order by liked.created_at desc, liked.blog_id desc limit 6) newest) else '[]' end`.mapWith(
            asPairs<string>,
          ),
      })
      .from(followedPeople)
      .innerJoin(users, eq(users.id, followedPeople.id))
      .where(and(isNull(users.suspendedAt), unmuted(users.id)))
      .orderBy(users.id);
  }),
  newest: preparedQuery((db) =>
    rows(db).where(isNewToViewer).orderBy(desc(blogs.publishedAt), desc(blogs.id)).limit(24),
  ),
};
const byColumn = {
  numbers: preparedQuery((db) =>
    rows(db).where(and(sql`${blogs.seq} in ${listedNumbers(sql.placeholder("these"))}`, isNewToViewer)),
  ),
  ids: preparedQuery((db) =>
    rows(db).where(and(inArray(blogs.id, listedTexts(sql.placeholder("these"))), isNewToViewer)),
  ),
};

export type CandidateRow = Awaited<ReturnType<ReturnType<typeof candidates.newest>["all"]>>[number];
export type FollowedRow = Awaited<ReturnType<ReturnType<typeof candidates.byFollowed>["all"]>>[number];

/** Returns the numbers of the newest matching blogs. */
export const blogsWithWords = (connection: Connection, match: string, each: number): Promise<number[]> =>
  newestMatching(connection, match, 0, each);
export const peopleFollowed = async (
  connection: Connection,
  viewerId: string,
  each: number,
): Promise<FollowedRow[]> => candidates.byFollowed(connection).all({ viewer: viewerId, each });
/** Returns those that are new to the viewer. */
export const blogsByKey = async (
  connection: Connection,
  column: keyof typeof byColumn,
  values: (number | string)[],
  viewerId: string,
): Promise<CandidateRow[]> =>
  values.length === 0
    ? []
    : byColumn[column](connection).all({ these: JSON.stringify(values), viewer: viewerId });
export const newestBlogs = async (connection: Connection, viewerId: string): Promise<CandidateRow[]> =>
  candidates.newest(connection).all({ viewer: viewerId });
