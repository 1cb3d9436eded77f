import { eq, sql } from "drizzle-orm";
import { isHiddenFrom } from "../blocks/queries.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { textsAs } from "../database/dialect.ts";
import { entries } from "../database/schema/entries.ts";
import { users } from "../database/schema/profiles.ts";
import { beginning } from "./queries.ts";

/* The newest entries of several live blogs at once, for feeds. Whether they can be read is for the caller to check. */

const blogs = textsAs(sql.placeholder("ids"), "blog");

/**
 * Numbers of each blog's newest `limit` entries, up to the first one that comes after `bytes` of HTML. The inner list is read along
 * an index, and `octet_length` reads no texts.
 */
const newestOfEach = sql`(select seq from (
  select newest.seq, sum(octet_length(newest.html)) over (
    partition by newest.blog_id order by newest.at desc, newest.id desc rows between unbounded preceding and 1 preceding) as before
  from ${blogs} inner join ${entries} newest on newest.seq in (
    select one.seq from ${entries} one where one.blog_id = blog.value and one.withdrawn_at is null
    order by one.at desc, one.id desc limit ${sql.placeholder("limit")})) newest_of_all
  where coalesce(before, 0) <= ${sql.placeholder("bytes")})`;

const newest = preparedQuery((db) =>
  db
    .select({
      id: entries.id,
      blogId: entries.blogId,
      at: entries.at,
      title: entries.title,
      isKey: entries.isKey,
      excerpt: beginning,
      html: entries.html,
      createdAt: entries.createdAt,
      editedAt: entries.editedAt,
      author: { name: users.name, username: users.username },
      isHidden: sql<number>`${isHiddenFrom(entries.authorId)}`,
    })
    .from(entries)
    .leftJoin(users, eq(users.id, entries.authorId))
    .where(sql`${entries.seq} in ${newestOfEach}`)
    .orderBy(sql`${entries.at} desc, ${entries.id} desc`),
);
const lastWithdrawals = preparedQuery((db) =>
  db
    .select({
      blogId: sql<string>`blog.value`,
      at: sql<number | null>`(select max(withdrawn_at) from ${entries} where blog_id = blog.value)`,
    })
    .from(blogs),
);

export type NewestEntry = Awaited<ReturnType<ReturnType<typeof newest>["all"]>>[number];

/** The part of a live blog that feeds and frames show. */
export interface NewestEntries {
  /** Newest first. */
  entries: NewestEntry[];
  /** Older ones are left out. */
  isCut: boolean;
  /** When an entry was last posted, edited or withdrawn; zero without entries. */
  changedAt: number;
}

/** Returns the newest entries of each blog: at most so many, and after the first at most so many bytes of HTML. */
export async function newestEntries(
  connection: Connection,
  blogIds: string[],
  viewerId: string | null,
  most: { entries: number; bytes: number },
): Promise<Map<string, NewestEntries>> {
  const found = new Map<string, NewestEntries>();
  if (blogIds.length === 0) return found;
  const ids = JSON.stringify(blogIds);
  for (const { blogId, at } of await lastWithdrawals(connection).all({ ids }))
    found.set(blogId, { entries: [], isCut: false, changedAt: at ?? 0 });
  const limit = most.entries + 1;
  const rows = await newest(connection).all({ ids, viewer: viewerId, limit, bytes: most.bytes });
  const sizes = new Map<string, number>();
  for (const row of rows) {
    const of = found.get(row.blogId);
    if (!of) continue;
    const size = (sizes.get(row.blogId) ?? 0) + Buffer.byteLength(row.html);
    sizes.set(row.blogId, size);
    of.isCut ||= of.entries.length === most.entries || (size > most.bytes && of.entries.length > 0);
    if (of.isCut) continue;
    of.entries.push(row);
    of.changedAt = Math.max(of.changedAt, row.createdAt, row.editedAt ?? 0);
  }
  return found;
}
