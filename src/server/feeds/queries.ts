import { desc, eq, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { follows } from "../database/schema/social.ts";
import { unmuted } from "../users/mute-queries.ts";
import { isVisibleTo } from "../users/block-queries.ts";

const viewer = sql.placeholder("viewer");
const each = sql.placeholder("each");

/** Of those whom the viewer follows, who published last: nobody else wrote anything of the newest of all. */
const newestAuthors = hot((db) =>
  db
    .select({
      id: follows.followedId,
      newest: sql<
        number | null
      >`(select own.published_at from blogs own where own.author_id = ${follows.followedId} and +own.draft = 0
        order by own.published_at desc, own.id desc limit 1)`.as("newest"),
      written:
        sql`(select json_group_array(json_array(number, published_at)) from (select own.number, own.published_at from blogs own
        where own.author_id = ${follows.followedId} and +own.draft = 0 order by own.published_at desc, own.id desc limit ${each}))`.mapWith(
          (text: unknown) => JSON.parse(text as string) as [number: number, publishedAt: number][],
        ),
    })
    .from(follows)
    .where(
      sql`${eq(follows.followerId, viewer)} and ${isVisibleTo(follows.followedId)} and ${unmuted(follows.followedId)}`,
    )
    .orderBy(desc(sql`newest`))
    .limit(each)
    .prepare(),
);

/** Numbers and dates of what those wrote last whom the viewer follows: among them the newest `most` of all. */
export const writtenByFollowed = async (
  connection: Connection,
  viewerId: string,
  most: number,
): Promise<[number: number, publishedAt: number][]> =>
  (await newestAuthors(connection).all({ viewer: viewerId, each: most })).flatMap(({ written }) => written);
