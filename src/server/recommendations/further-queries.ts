import { inArray, sql, type SQL } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { jsonArrayOf, listedNumbers, listedTexts } from "../database/dialect.ts";
import { newestInFullText, newestMatching } from "../database/search/newest-matching.ts";
import { blogs } from "../database/schema/blogs.ts";
import { loadCards, type CardRow } from "../blogs/card-queries.ts";
import type { Kind } from "../blogs/policy.ts";

const author = sql.placeholder("author");
const at = sql.placeholder("at");
const id = sql.placeholder("id");
const limit = sql.placeholder("limit");

/** The author's blog of one kind next to a position: one index lookup. */
const nextTo = (condition: SQL, order: SQL) =>
  preparedQuery((db) =>
    db
      .select({ seq: blogs.seq, publishedAt: blogs.publishedAt, id: blogs.id })
      .from(blogs)
      .where(
        sql`blogs.author_id = ${author} and blogs.draft = 0 and blogs.private = ${sql.placeholder("private")} and ${condition}`,
      )
      .orderBy(order)
      .limit(1),
  );
const sides = {
  next: nextTo(
    sql`(blogs.published_at, blogs.id) > (${at}, ${id}) and blogs.published_at <= ${sql.placeholder("now")}`,
    sql`blogs.published_at asc, blogs.id asc`,
  ),
  previous: nextTo(
    sql`(blogs.published_at, blogs.id) < (${at}, ${id}) and blogs.published_at <= ${sql.placeholder("now")}`,
    sql`blogs.published_at desc, blogs.id desc`,
  ),
};

interface BlogPosition {
  id: string;
  authorId: string;
  publishedAt: number;
}

/** Returns the author's next or previous blog of these kinds; checks access again. */
export async function adjacentBlog(
  connection: Connection,
  side: keyof typeof sides,
  { id: from, authorId, publishedAt }: BlogPosition,
  kinds: Kind[],
  viewerId: string | null,
): Promise<CardRow | undefined> {
  const rows = [];
  for (const kind of kinds) {
    if (kind === "drafts") continue;
    const row = await sides[side](connection).get({
      author: authorId,
      private: kind === "private" ? 1 : 0,
      at: publishedAt,
      id: from,
      now: Date.now(),
    });
    if (row) rows.push(row);
  }
  const later = side === "next" ? 1 : -1;
  rows.sort((a, b) => later * (a.publishedAt - b.publishedAt || (a.id < b.id ? -1 : 1)));
  const [card] = await loadCards(connection, rows.slice(0, 1), viewerId);
  return card;
}

/** The most candidates examined of those liked or published last with a tag. */
const lookedAt = 60;
const tagged = (order: SQL) =>
  preparedQuery((db) =>
    db
      .select({ seq: sql<number>`seq` })
      .from(
        sql`(select blog_seq as seq, is_public from blog_tags where tag = ${sql.placeholder("tag")} order by ${order} limit ${sql.raw(`${lookedAt}`)}) as looked_at`,
      )
      .where(sql`is_public = 1`)
      .limit(limit),
  );

/** Exported for the query plan test. Bounded index reads of public blogs, the same for every viewer. */
export const candidates = {
  newestTagged: tagged(sql`published_at desc, blog_seq desc`),
  likedTagged: tagged(sql`likes_count desc, published_at desc, blog_seq desc`),
  byWord: newestInFullText,
  /** The latest likes of people who like a blog and show their likes. */
  likedTogether: preparedQuery((db) =>
    db
      .select({
        liked: sql`(select ${jsonArrayOf(sql`blog_id`)} from (select liked.blog_id from blog_likes liked
          where liked.user_id = likers.user_id order by liked.created_at desc, liked.blog_id desc limit 8) newest)`.mapWith(
          (text: unknown) => JSON.parse(text as string) as string[],
        ),
      })
      .from(
        sql`(select user_id from blog_likes where blog_id = ${id} order by created_at desc, user_id desc limit 30) as likers`,
      )
      .innerJoin(
        sql`users`,
        sql`users.id = likers.user_id and users.show_liked_blogs = 1 and users.private = 0 and users.suspended_at is null`,
      ),
  ),
  newest: preparedQuery((db) =>
    db
      .select({ seq: sql<number>`seq` })
      .from(
        sql`(select seq, is_public from blogs where draft = 0 and published_at <= ${sql.placeholder("now")} order by published_at desc, id desc limit ${sql.raw(`${lookedAt}`)}) as looked_at`,
      )
      .where(sql`is_public = 1`)
      .limit(limit),
  ),
};

const columns = {
  seq: blogs.seq,
  id: blogs.id,
  authorId: blogs.authorId,
  likesCount: blogs.likesCount,
  publishedAt: blogs.publishedAt,
};
const forEverybody = sql`blogs.draft = 0 and blogs.is_public = 1`;
const candidatesBySeq = preparedQuery((db) =>
  db
    .select(columns)
    .from(blogs)
    .where(sql`${blogs.seq} in ${listedNumbers(sql.placeholder("these"))} and ${forEverybody}`),
);
const candidatesById = preparedQuery((db) =>
  db
    .select(columns)
    .from(blogs)
    .where(sql`${inArray(blogs.id, listedTexts(sql.placeholder("these")))} and ${forEverybody}`),
);
const newestNumber = preparedQuery((db) =>
  db.select({ seq: sql<number | null>`max(${blogs.seq})` }).from(blogs),
);

export type Candidate = Awaited<ReturnType<ReturnType<typeof candidatesById>["all"]>>[number];

const numbers = (rows: { seq: number }[]): number[] => rows.map(({ seq }) => seq);

/** Returns public blogs with a tag: the newest and the most liked. */
export const withTag = async (connection: Connection, tag: string, maxCount: number) => ({
  newest: numbers(await candidates.newestTagged(connection).all({ tag, limit: maxCount })),
  liked: numbers(await candidates.likedTagged(connection).all({ tag, limit: maxCount })),
});
/** Returns the newest blogs after `from` that match `anyPhrase`: only the newest, since many texts may have a word. */
export const withWord: (
  connection: Connection,
  match: string,
  from: number,
  maxCount: number,
) => Promise<number[]> = newestMatching;
/** Returns for each liker of this blog the ids of their latest likes. */
export const likedTogether = async (connection: Connection, blogId: string): Promise<string[][]> =>
  (await candidates.likedTogether(connection).all({ id: blogId })).map(({ liked }) => liked);
export const newest = async (connection: Connection, maxCount: number): Promise<number[]> =>
  numbers(await candidates.newest(connection).all({ limit: maxCount, now: Date.now() }));
export const lastNumber = async (connection: Connection): Promise<number> =>
  (await newestNumber(connection).get({}))?.seq ?? 0;

/** Returns the public blogs among these numbers and ids. */
export async function candidatesAmong(
  connection: Connection,
  byNumber: number[],
  byId: string[],
): Promise<Candidate[]> {
  const rows = [
    ...(await candidatesBySeq(connection).all({ these: JSON.stringify(byNumber) })),
    ...(await candidatesById(connection).all({ these: JSON.stringify(byId) })),
  ];
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
