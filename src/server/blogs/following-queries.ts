import { and, desc, eq, sql } from "drizzle-orm";
import { Tag } from "../../shared/blogs.ts";
import { limits } from "../../shared/limits.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { textsAs } from "../database/dialect.ts";
import { blogs, blogTags } from "../database/schema/blogs.ts";
import { follows } from "../database/schema/follows.ts";
import { users } from "../database/schema/profiles.ts";
import { unmuted } from "../blocks/mute-queries.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/* Blogs of followed people and with followed tags: for the list Following and the personal feed. */

const viewer = sql.placeholder("viewer");
const now = sql.placeholder("now");
const at = sql.placeholder("at");
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

/** True where everyone can read a tagged blog: by the index, or by the account while a visibility sync is pending. */
const isPublic = sql`case when exists (select 1 from users where users.visibility_sync_pending = 1)
  then exists (select 1 from blogs b inner join users u on u.id = b.author_id
    where b.seq = ${blogTags.blogSeq} and b.private = 0 and u.private = 0)
  else ${blogTags.isPublic} = 1 end`;

/** Public blogs of others. Those that only followers can read are in their authors' indexes. */
const isOfOthers = sql`(${blogTags.authorId} <> ${viewer} and ${isPublic}
  and ${isVisibleTo(blogTags.authorId)} and ${unmuted(blogTags.authorId)})`;

/** Exported for the query plan test. */
export const statements = {
  interests: preparedQuery((db) =>
    db.select({ interests: users.interests }).from(users).where(eq(users.id, viewer)),
  ),
  /** The authors who published last: the newest blogs can only be theirs. */
  authors: preparedQuery((db) =>
    db
      .select({ authorId: sql<string>`followed_id`, publishedAt: sql<number>`newest` })
      .from(
        sql`(select ${follows.followedId}, ${newest} as newest from ${follows} where ${isFollowed}) as followed`,
      )
      .where(sql`newest is not null`)
      .orderBy(sql`newest desc`)
      .limit(limit),
  ),
  /** One author's blogs after a position. */
  written: preparedQuery((db) =>
    db
      .select({ seq: blogs.seq, publishedAt: blogs.publishedAt, id: blogs.id })
      .from(blogs)
      .where(
        sql`blogs.author_id = ${sql.placeholder("author")} and +blogs.draft = 0
          and (blogs.published_at, blogs.id) < (${at}, ${sql.placeholder("id")})`,
      )
      .orderBy(sql`blogs.published_at desc`, sql`blogs.id desc`)
      .limit(limit),
  ),
  /** One tag's blogs after a position. */
  tagged: preparedQuery((db) =>
    db
      .select({ seq: blogTags.blogSeq, publishedAt: blogTags.publishedAt })
      .from(blogTags)
      .where(
        and(
          eq(blogTags.tag, sql.placeholder("tag")),
          sql`(blog_tags.published_at, blog_tags.blog_seq) < (${at}, ${sql.placeholder("seq")})`,
          isOfOthers,
        ),
      )
      .orderBy(desc(blogTags.publishedAt), desc(blogTags.blogSeq))
      .limit(limit),
  ),
  /** The sum of the blog counts stored with the accounts. */
  countWritten: preparedQuery((db) =>
    db
      .select({ count: sql<number>`coalesce(sum(${users.publicBlogs} + ${users.privateBlogs}), 0)` })
      .from(follows)
      .innerJoin(users, eq(users.id, follows.followedId))
      .where(isFollowed),
  ),
  /** Blogs with any of the tags that are not by followed people, each once, up to `limit`. */
  countTagged: preparedQuery((db) =>
    db.select({ count: sql<number>`count(*)` }).from(
      sql`(select distinct blog_tags.blog_seq
          from ${textsAs(sql.placeholder("tags"), "followed_tag")} cross join blog_tags
          where blog_tags.tag = followed_tag.value and blog_tags.published_at <= ${now} and ${isOfOthers}
            and not exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = ${blogTags.authorId})
          limit ${limit}) others`,
    ),
  ),
};

/** Returns the tags that the viewer follows: their interests that are tags. */
export async function followedTags(connection: Connection, viewerId: string): Promise<string[]> {
  const row = await statements.interests(connection).get({ viewer: viewerId });
  const tags = (row?.interests ?? []).filter((interest) => Tag.safeParse(interest).data === interest);
  return tags.slice(0, limits.interests.max);
}

interface Entry {
  seq: number;
  publishedAt: number;
  /** Read where an index is ordered by it. */
  id?: string;
}

/** The blogs of one author or tag, newest first. */
interface Source {
  readAfter: (last: Entry) => Promise<Entry[]>;
  /** The unread rows that were fetched, next one first. */
  rows: Entry[];
}

/** Rows read of a source at a time. */
const step = 8;
/** Sorts before every entry of the same date. */
const first = { seq: Number.MAX_SAFE_INTEGER, id: "~" };

const isNewer = (a: Entry, b: Entry): boolean =>
  a.publishedAt > b.publishedAt || (a.publishedAt === b.publishedAt && a.seq > b.seq);

/** Returns the source with the newest unread row, and that row. */
function nextOf(sources: Source[]): { source: Source; entry: Entry } | undefined {
  let next: { source: Source; entry: Entry } | undefined;
  for (const source of sources) {
    const [entry] = source.rows;
    if (entry && (!next || isNewer(entry, next.entry))) next = { source, entry };
  }
  return next;
}

/**
 * Returns the numbers of the newest blogs by people the viewer follows and with these tags, each once, newest first. The cost
 * grows with `maxCount`, not with the stored data: the index of each author and tag is read only as far as needed.
 */
export async function newestFollowing(
  connection: Connection,
  viewerId: string,
  tags: string[],
  maxCount: number,
): Promise<{ seq: number }[]> {
  const openedAt = Date.now();
  const authors = await statements
    .authors(connection)
    .all({ viewer: viewerId, now: openedAt, limit: maxCount });
  const sources: Source[] = [];
  const open = async (publishedAt: number, readAfter: Source["readAfter"]): Promise<void> => {
    sources.push({ readAfter, rows: await readAfter({ ...first, publishedAt }) });
  };
  for (const tag of tags)
    await open(openedAt, async ({ publishedAt, seq }) =>
      statements.tagged(connection).all({ viewer: viewerId, tag, at: publishedAt, seq, limit: step }),
    );
  const seqs = new Set<number>();
  let startedAuthors = 0;
  while (seqs.size < maxCount) {
    const next = nextOf(sources);
    const author = authors[startedAuthors];
    if (author && (!next || author.publishedAt >= next.entry.publishedAt)) {
      startedAuthors += 1;
      await open(author.publishedAt, async ({ publishedAt, id }) =>
        statements.written(connection).all({ author: author.authorId, at: publishedAt, id, limit: step }),
      );
      continue;
    }
    if (!next) break;
    seqs.add(next.entry.seq);
    next.source.rows.shift();
    if (next.source.rows.length === 0) next.source.rows = await next.source.readAfter(next.entry);
  }
  return [...seqs].map((seq) => ({ seq }));
}

/** Counts that list up to `maxCount`. */
export async function countFollowing(
  connection: Connection,
  viewerId: string,
  tags: string[],
  maxCount: number,
): Promise<number> {
  const written = (await statements.countWritten(connection).get({ viewer: viewerId }))?.count ?? 0;
  if (tags.length === 0 || written >= maxCount) return Math.min(written, maxCount);
  const parameters = {
    viewer: viewerId,
    tags: JSON.stringify(tags),
    now: Date.now(),
    limit: maxCount - written,
  };
  return written + ((await statements.countTagged(connection).get(parameters))?.count ?? 0);
}
