import { and, eq, sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { follows } from "../database/schema/social.ts";
import { users } from "../database/schema/profiles.ts";
import { unmuted } from "../blocks/mute-queries.ts";
import { isVisibleTo } from "../blocks/queries.ts";

const viewer = sql.placeholder("viewer");
const now = sql.placeholder("now");
const limit = sql.placeholder("limit");

/** Accounts that the viewer follows and that no block, limit or mute hides. */
const isFollowed = and(
  eq(follows.followerId, viewer),
  isVisibleTo(follows.followedId),
  unmuted(follows.followedId),
);

/** The author's latest publication time, from their index without reading texts. */
const newest = sql`(select own.published_at from blogs own
  where own.author_id = ${follows.followedId} and +own.draft = 0 and own.published_at <= ${now}
  order by own.published_at desc limit 1)`;

/** Exported for the query plan test. */
export const statements = {
  /** The authors who published last: the newest blogs can only be theirs. */
  authors: preparedQuery((db) =>
    db
      .select({
        authorId: follows.followedId,
        publishedAt: newest.mapWith(Number).as("followed_newest"),
      })
      .from(follows)
      .where(and(isFollowed, sql`followed_newest is not null`))
      .orderBy(sql`followed_newest desc`)
      .limit(limit)
      .prepare(),
  ),
  /** One author's blogs from a position on. */
  written: preparedQuery((db) =>
    db
      .select({ seq: blogs.seq, publishedAt: blogs.publishedAt, id: blogs.id })
      .from(blogs)
      .where(
        sql`blogs.author_id = ${sql.placeholder("author")} and +blogs.draft = 0
          and (blogs.published_at, blogs.id) <= (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
      )
      .orderBy(sql`blogs.published_at desc`, sql`blogs.id desc`)
      .limit(limit)
      .prepare(),
  ),
  /** The sum of the blog counts stored with the accounts. */
  count: preparedQuery((db) =>
    db
      .select({ count: sql<number>`coalesce(sum(${users.publicBlogs} + ${users.privateBlogs}), 0)` })
      .from(follows)
      .innerJoin(users, eq(users.id, follows.followedId))
      .where(isFollowed)
      .prepare(),
  ),
};

type Entry = Awaited<ReturnType<ReturnType<typeof statements.written>["all"]>>[number];

/** Rows read of an author at a time. */
const step = 8;
/** Sorts after every id. */
const last = "~";

const isNewer = (a: Entry, b: Entry): boolean =>
  a.publishedAt > b.publishedAt || (a.publishedAt === b.publishedAt && a.id > b.id);

/**
 * Returns the numbers of the newest blogs by people the viewer follows, newest first. The cost grows with `maxCount`, not with
 * the stored data: each author's index is read only as far as needed.
 */
export async function newestOfFollowed(
  connection: Connection,
  viewerId: string,
  maxCount: number,
): Promise<{ seq: number }[]> {
  const authors = await statements
    .authors(connection)
    .all({ viewer: viewerId, now: Date.now(), limit: maxCount });
  const entries: Entry[] = [];
  /** The unread rows of each started author, next one first. */
  const open: { authorId: string; rows: Entry[] }[] = [];
  let startedAuthors = 0;
  while (entries.length < maxCount) {
    let next: (typeof open)[number] | undefined;
    for (const candidate of open)
      if (candidate.rows[0] && (!next?.rows[0] || isNewer(candidate.rows[0], next.rows[0]))) next = candidate;
    const author = authors[startedAuthors];
    if (author && (!next?.rows[0] || author.publishedAt >= next.rows[0].publishedAt)) {
      startedAuthors += 1;
      const { authorId, publishedAt } = author;
      open.push({ authorId, rows: await readFurtherRows(connection, authorId, publishedAt, last) });
      continue;
    }
    const entry = next?.rows.shift();
    if (!next || !entry) break;
    entries.push(entry);
    // The position itself is read again.
    if (next.rows.length === 0)
      next.rows = (await readFurtherRows(connection, next.authorId, entry.publishedAt, entry.id)).slice(1);
  }
  return entries;
}

const readFurtherRows = async (
  connection: Connection,
  author: string,
  at: number,
  id: string,
): Promise<Entry[]> => statements.written(connection).all({ author, at, id, limit: step });

export const countOfFollowed = async (connection: Connection, viewerId: string): Promise<number> =>
  (await statements.count(connection).get({ viewer: viewerId }))?.count ?? 0;
