import { desc, eq, sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { follows } from "../database/schema/social.ts";
import { unmuted } from "../blocks/mute-queries.ts";
import { isVisibleTo } from "../blocks/queries.ts";

const viewer = sql.placeholder("viewer");
const blogsPerAuthor = sql.placeholder("each");

/** The newest blogs are by the people who published last. */
const newestAuthors = preparedQuery((db) =>
  db
    .select({
      id: follows.followedId,
      newest: sql<
        number | null
      >`(select own.published_at from blogs own where own.author_id = ${follows.followedId} and +own.draft = 0
        order by own.published_at desc, own.id desc limit 1)`.as("newest"),
      written:
        sql`(select json_group_array(json_array(number, published_at)) from (select own.number, own.published_at from blogs own
        where own.author_id = ${follows.followedId} and +own.draft = 0 order by own.published_at desc, own.id desc limit ${blogsPerAuthor}))`.mapWith(
          (text: unknown) => JSON.parse(text as string) as [number: number, publishedAt: number][],
        ),
    })
    .from(follows)
    .where(
      sql`${eq(follows.followerId, viewer)} and ${isVisibleTo(follows.followedId)} and ${unmuted(follows.followedId)}`,
    )
    .orderBy(desc(sql`newest`))
    .limit(blogsPerAuthor)
    .prepare(),
);

/** Returns numbers and dates of recent blogs by followed people, including the newest `count`. */
export const writtenByFollowed = async (
  connection: Connection,
  viewerId: string,
  count: number,
): Promise<[number: number, publishedAt: number][]> =>
  (await newestAuthors(connection).all({ viewer: viewerId, each: count })).flatMap(({ written }) => written);
