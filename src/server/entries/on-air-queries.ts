import { and, desc, eq, sql } from "drizzle-orm";
import { isCoAuthor, visible } from "../blogs/card-queries.ts";
import { unmuted } from "../blocks/mute-queries.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/profiles.ts";

// Written out as in the index of these few blogs.
const onAir = sql`live_since is not null and live_ended is null and draft = 0`;
const viewer = sql.placeholder("viewer");
const since = sql.placeholder("since");
/** It was started, or got an entry, lately. */
const isActive = sql`(live_since > ${since} or exists (
  select 1 from entries e where e.blog_id = blogs.id and e.withdrawn_at is null and e.at > ${since}))`;

const ids = preparedQuery((db) =>
  db
    .select({ id: blogs.id, authorId: blogs.authorId })
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(onAir, isActive, visible, unmuted(blogs.authorId)))
    .orderBy(desc(blogs.liveSince), desc(blogs.id))
    .limit(sql.placeholder("limit")),
);
const own = preparedQuery((db) =>
  db
    .select({ id: blogs.id, slug: blogs.slug, title: blogs.title, commentsCount: blogs.commentsCount })
    .from(blogs)
    .where(and(onAir, sql`(${blogs.authorId} = ${viewer} or ${isCoAuthor})`))
    .orderBy(desc(blogs.liveSince), desc(blogs.id))
    .limit(sql.placeholder("limit")),
);

/** Milliseconds without an entry after which a live blog is no news any more, though it is on air. */
const newsFor = 12 * 60 * 60_000;

/**
 * Returns live blogs on air that the viewer can read, newest first, without those of muted people and those without an
 * entry for long.
 */
export const blogsOnAir = async (
  connection: Connection,
  viewerId: string | null,
  limit: number,
  now: number,
) => ids(connection).all({ viewer: viewerId, limit, since: now - newsFor });

/** Returns the live blogs on air that the viewer writes, newest first. */
export const ownOnAir = async (connection: Connection, viewerId: string, limit: number) =>
  own(connection).all({ viewer: viewerId, limit });
