import { and, desc, eq, fillPlaceholders, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import { limits } from "../../shared/limits.ts";
import type { BlogSearch, FoundBlog, Search } from "../../shared/search.ts";
import type { Context } from "../context.ts";
import { hot, type Connection } from "../database/connection.ts";
import { bestMatches, matchesOf } from "../database/full-text.ts";
import { blogs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/users.ts";
import { highlighter, plain, type Highlighter } from "../search/highlight.ts";
import { searchWords } from "../search/words.ts";
import { inTurn } from "../turns.ts";
import { presentCard } from "./present.ts";
import { listBlogs, publishedCards, visible } from "./card-queries.ts";

/** What one answer holds at most, whatever a client of the API asks for. */
export const mostFound = 50;
/** Of a longer text its beginning alone is looked through for a snippet, in characters. */
const lookedThrough = 16_000;

const ofVisible = sql`cross join blogs on blogs.number = newest.number cross join users on users.id = blogs.author_id where blogs.draft = 0 and ${visible}`;

/** The ids of a page of what was found; exported for the test on its plan. */
export const foundBlogs = hot((db) =>
  db
    .select({ id: blogs.id, total: sql<number>`count(*) over ()` })
    .from(blogs)
    .innerJoin(sql`${bestMatches("blogs", ofVisible)} as found`, sql`found.number = ${blogs.number}`)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(sql`blogs.draft = 0`, visible))
    .orderBy(sql`found.tier, found.score`, desc(blogs.publishedAt), desc(blogs.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare(),
);
const texts = hot((db) =>
  db
    .select({ id: blogs.id, text: sql<string>`substr(${blogs.text}, 1, ${sql.raw(String(lookedThrough))})` })
    .from(blogs)
    .where(inArray(blogs.id, sql`(select value from json_each(${sql.placeholder("ids")}))`))
    .prepare(),
);

/**
 * Blogs with all the words of the query, or with parts of words in title or tags, the best first: those with the words in
 * the title, then tags, description, body; the newest of equals. Drafts are never found, nor anything the viewer may not
 * read. Without a query, the newest. `size` is at most 50.
 */
export async function searchBlogs(
  ctx: Context,
  { query, page }: z.output<typeof Search>,
  size: number = limits.page.search,
): Promise<BlogSearch> {
  const { read } = ctx.database;
  const most = Math.max(1, Math.min(size, mostFound));
  const words = searchWords(query);
  const at = { viewer: ctx.viewer?.id ?? null, limit: most + 1, offset: (page - 1) * most };
  if (page > limits.page.highest) return { blogs: [], page, hasMore: false };
  if (query.trim() === "") {
    const rows = await listBlogs(read, "latest", at);
    return {
      blogs: rows.slice(0, most).map((row) => unmarked(presentCard(row))),
      page,
      hasMore: rows.length > most,
    };
  }
  if (words.length === 0) return { blogs: [], page, hasMore: false, total: 0 };
  await ctx.limits.take("read", ctx.address, limits.search.cost);
  const matches = await inTurn(() => matchesOf(read, "blogs", words));
  const found = await readFound(ctx, { ...at, ...matches });
  const ids = found.slice(0, most).map(({ id }) => id);
  const [cards, bodies] = await Promise.all([publishedCards(read, ids, at.viewer), textsOf(read, ids)]);
  const marks = highlighter(words);
  return {
    blogs: await Promise.all(
      cards.map((row) => inTurn(() => marked(presentCard(row), bodies.get(row.id) ?? "", marks))),
    ),
    page,
    hasMore: found.length > most,
    total: found[0]?.total ?? (page === 1 ? 0 : undefined),
  };
}

/**
 * A word of many long texts takes a quarter of a second: off the main thread. What is written meanwhile may be found there and
 * is not in what the answer is read from: then it is in its count, and not among its cards.
 */
async function readFound(
  { readers, address, database: { read, file } }: Context,
  values: Record<string, unknown>,
): Promise<{ id: string; total: number }[]> {
  const { sql: statement, params } = foundBlogs(read).getQuery();
  const asked = { file, sql: statement, params: fillPlaceholders(params, values) };
  const rows = await readers.run("rows", asked, address);
  return rows.map(([id, total]) => ({ id: id as string, total: total as number }));
}

const textsOf = async (connection: Connection, ids: string[]): Promise<Map<string, string>> =>
  new Map((await texts(connection).all({ ids: JSON.stringify(ids) })).map(({ id, text }) => [id, text]));

const marked = (card: BlogCard, text: string, marks: Highlighter): FoundBlog => ({
  ...card,
  highlights: {
    title: marks.whole(card.title),
    description: marks.whole(card.description),
    snippet: marks.snippet(text, card.excerpt),
  },
});

const unmarked = (card: BlogCard): FoundBlog => ({
  ...card,
  highlights: {
    title: plain(card.title),
    description: plain(card.description),
    snippet: plain(card.excerpt),
  },
});
