import { and, eq, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { follows } from "../database/schema/social.ts";
import { users } from "../database/schema/users.ts";
import { unmuted } from "../users/mute-queries.ts";
import { isVisibleTo } from "../users/block-queries.ts";

const viewer = sql.placeholder("viewer");
const now = sql.placeholder("now");
const limit = sql.placeholder("limit");

/** Whom the viewer follows, without those whom a block, a limit or a mute hides. */
const followed = and(
  eq(follows.followerId, viewer),
  isVisibleTo(follows.followedId),
  unmuted(follows.followedId),
);

/** When an author published last, by their own index, without a look at any text. */
const newest = sql`(select own.published_at from blogs own
  where own.author_id = ${follows.followedId} and +own.draft = 0 and own.published_at <= ${now}
  order by own.published_at desc limit 1)`;

/** Exported for the test on their plans. */
export const statements = {
  /** Those of them who published last: nobody else wrote anything of the newest of all. */
  authors: hot((db) =>
    db
      .select({
        authorId: follows.followedId,
        publishedAt: newest.mapWith(Number).as("followed_newest"),
      })
      .from(follows)
      .where(and(followed, sql`followed_newest is not null`))
      .orderBy(sql`followed_newest desc`)
      .limit(limit)
      .prepare(),
  ),
  /** What one of them published, from a place on. */
  written: hot((db) =>
    db
      .select({ number: blogs.number, publishedAt: blogs.publishedAt, id: blogs.id })
      .from(blogs)
      .where(
        sql`blogs.author_id = ${sql.placeholder("author")} and +blogs.draft = 0
          and (blogs.published_at, blogs.id) <= (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
      )
      .orderBy(sql`blogs.published_at desc`, sql`blogs.id desc`)
      .limit(limit)
      .prepare(),
  ),
  /** How much they have published, by what is counted with each account. */
  count: hot((db) =>
    db
      .select({ count: sql<number>`coalesce(sum(${users.publicBlogs} + ${users.privateBlogs}), 0)` })
      .from(follows)
      .innerJoin(users, eq(users.id, follows.followedId))
      .where(followed)
      .prepare(),
  ),
};

type Entry = Awaited<ReturnType<ReturnType<typeof statements.written>["all"]>>[number];

/** What is read of an author at a time. */
const step = 8;
/** Behind every id. */
const last = "~";

const isNewer = (one: Entry, other: Entry): boolean =>
  one.publishedAt > other.publishedAt || (one.publishedAt === other.publishedAt && one.id > other.id);

/**
 * Numbers of the newest that those published whom the viewer follows, the newest first. Each author's index is read only as far
 * as it has some of them: what it costs grows with `most`, and not with what is stored.
 */
export async function newestOfFollowed(
  connection: Connection,
  viewerId: string,
  most: number,
): Promise<{ number: number }[]> {
  const authors = await statements
    .authors(connection)
    .all({ viewer: viewerId, now: Date.now(), limit: most });
  const found: Entry[] = [];
  /** What is there of the authors of whom something is among the newest, the next one first. */
  const open: { authorId: string; rows: Entry[] }[] = [];
  let begun = 0;
  while (found.length < most) {
    let next: (typeof open)[number] | undefined;
    for (const one of open)
      if (one.rows[0] && (!next?.rows[0] || isNewer(one.rows[0], next.rows[0]))) next = one;
    const author = authors[begun];
    if (author && (!next?.rows[0] || author.publishedAt >= next.rows[0].publishedAt)) {
      begun += 1;
      const { authorId, publishedAt } = author;
      open.push({ authorId, rows: await readOn(connection, authorId, publishedAt, last) });
      continue;
    }
    const entry = next?.rows.shift();
    if (!next || !entry) break;
    found.push(entry);
    // The place itself is read once more.
    if (next.rows.length === 0)
      next.rows = (await readOn(connection, next.authorId, entry.publishedAt, entry.id)).slice(1);
  }
  return found;
}

const readOn = async (connection: Connection, author: string, at: number, id: string): Promise<Entry[]> =>
  statements.written(connection).all({ author, at, id, limit: step });

export const countOfFollowed = async (connection: Connection, viewerId: string): Promise<number> =>
  (await statements.count(connection).get({ viewer: viewerId }))?.count ?? 0;
