import { and, desc, eq, sql } from "drizzle-orm";
import { isCoAuthor, visible } from "../blogs/card-queries.ts";
import { unmuted } from "../blocks/mute-queries.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/profiles.ts";

// Written out as in the index of these few blogs.
const onAir = sql`live_since is not null and live_ended is null and draft = 0`;
const viewer = sql.placeholder("viewer");

const ids = preparedQuery((db) =>
  db
    .select({ id: blogs.id })
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(onAir, visible, unmuted(blogs.authorId)))
    .orderBy(desc(blogs.liveSince), desc(blogs.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const own = preparedQuery((db) =>
  db
    .select({ id: blogs.id, slug: blogs.slug, title: blogs.title, commentsCount: blogs.commentsCount })
    .from(blogs)
    .where(and(onAir, sql`(${blogs.authorId} = ${viewer} or ${isCoAuthor})`))
    .orderBy(desc(blogs.liveSince), desc(blogs.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Returns the ids of live blogs on air that the viewer can read, without those of muted people, newest first. */
export const onAirIds = async (
  connection: Connection,
  viewerId: string | null,
  limit: number,
): Promise<string[]> => (await ids(connection).all({ viewer: viewerId, limit })).map(({ id }) => id);

/** Returns the live blogs on air that the viewer writes, newest first. */
export const ownOnAir = async (connection: Connection, viewerId: string, limit: number) =>
  own(connection).all({ viewer: viewerId, limit });
