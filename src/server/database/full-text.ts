import { sql, type SQL } from "drizzle-orm";
import { joinedWord, type SearchWord } from "../search/words.ts";
import { hot, type Connection } from "./connection.ts";

/**
 * What can be searched: the tables of migration 0001, how much a word counts in each of their columns (each more than all
 * below it together; the last is the body), and in which columns parts of words are looked up.
 */
const searched = {
  blogs: {
    words: sql`blog_words`,
    pieces: sql`blog_pieces`,
    terms: sql`blog_piece_terms`,
    weights: [8, 2, 4, 1],
    partsIn: "{title tags}",
  },
  people: {
    words: sql`people_words`,
    pieces: sql`people_pieces`,
    terms: sql`people_piece_terms`,
    weights: [2, 4, 1],
    partsIn: "{name username}",
  },
} as const;

export type Searched = keyof typeof searched;

/** Matches that are ranked at once, and that are looked at to find so many that the viewer may read: the newest ones. */
export const ranked = 1_000;
const examined = 5_000;

/** FTS5 expressions for the words of a question and for parts of words. What finds nothing is `""`. */
export interface Matches {
  words: string;
  pieces: string;
}

const nothing = '""';
const quoted = (text: string): string => `"${text.replaceAll('"', "")}"`;

/** A question in the language of FTS5. Every word is quoted, so that nothing in it is an operator; the last may be the beginning of one. */
export async function matchesOf(
  connection: Connection,
  kind: Searched,
  words: SearchWord[],
): Promise<Matches> {
  if (words.length === 0) return { words: nothing, pieces: nothing };
  if (words.some((word) => word.spaceless)) {
    const found = await Promise.all(words.map((word) => pieceOf(connection, kind, word)));
    return {
      words: nothing,
      pieces: found.includes(nothing) ? nothing : found.map((piece) => `(${piece})`).join(" AND "),
    };
  }
  const all = words
    .map(({ text }, index) => quoted(text) + (index === words.length - 1 && text.length > 1 ? "*" : ""))
    .join(" AND ");
  const joined = joinedWord(words);
  return {
    words: joined ? `(${all}) OR ${quoted(joined)}*` : all,
    pieces: words.every(({ text }) => [...text].length > 2)
      ? `${searched[kind].partsIn} : (${words.map(({ text }) => quoted(text)).join(" AND ")})`
      : nothing,
  };
}

const mostTerms = 100;

const beginning = (kind: Searched) =>
  hot((db) =>
    db
      .select({ term: sql<string>`term` })
      .from(searched[kind].terms)
      .where(sql`term >= ${sql.placeholder("from")} and term < ${sql.placeholder("to")}`)
      .orderBy(sql`doc desc, term`)
      .limit(mostTerms * 3)
      .prepare(),
  );
const termsBeginning = { blogs: beginning("blogs"), people: beginning("people") };

/** Fewer than three characters are no piece: the pieces that begin with them stand in for them. */
async function pieceOf(connection: Connection, kind: Searched, word: SearchWord): Promise<string> {
  if ([...word.text].length > 2) return quoted(word.text);
  const from = word.text.toLowerCase();
  const terms = (await termsBeginning[kind](connection).all({ from, to: `${from}\u{10ffff}` })).map(
    ({ term }) => term,
  );
  // `AI` is to be a word of its own also beside Chinese, where no space ends it.
  const fitting = word.spaceless
    ? terms
    : terms.filter((term) => !/^[a-z0-9]/i.test(term.slice(from.length)));
  return fitting.length > 0
    ? fitting
        .slice(0, mostTerms)
        .map((term) => `"${term.replaceAll('"', '""')}"`)
        .join(" OR ")
    : nothing;
}

/**
 * The best matches as a table `(number, tier, score)`, lower is better; parts of words (tier 1) come after words. Placeholders
 * `words` and `pieces` are those of `matchesOf`. `readable` narrows `newest(number)` to what the viewer may read, by cross
 * joins and a condition, so that what they may not read takes nobody's place.
 *
 * A word that is in every row costs no more than others: of more than a thousand matches the newest are ranked.
 */
export function bestMatches(kind: Searched, readable: SQL): SQL {
  const { words, pieces, weights } = searched[kind];
  const tier = (table: SQL, match: SQL, number: SQL) => sql`
    select rowid as number, ${number} as tier, ${scoreOf(table, weights)} as score from ${table} where ${table} match ${match} and rowid >= (
      select coalesce(min(number), 9223372036854775807) from (
        select newest.number from (select rowid as number from ${table} where ${table} match ${match} order by rowid desc limit ${sql.raw(String(examined))}) newest ${readable} limit ${sql.raw(String(ranked))}))`;
  // Of two rows with one number, `min(tier)` says from which of them SQLite takes the score.
  return sql`(select number, min(tier) as tier, score from (${tier(words, sql`${sql.placeholder("words")}`, sql`0`)} union all ${tier(pieces, sql`${sql.placeholder("pieces")}`, sql`1`)}) group by number)`;
}

/**
 * BM25 column by column. A weight that large makes the column's part of it what the words are worth, however often they are
 * there and however long the body: else a long blog with the word as its title would come after a short one that names it.
 */
function scoreOf(table: SQL, weights: readonly number[]): SQL {
  const parts = weights.map((weight, column) => {
    const only = weights.map((_, other) =>
      other !== column ? "0" : column === weights.length - 1 ? "1" : "1e6",
    );
    return sql`${sql.raw(String(weight))} * bm25(${table}, ${sql.raw(only.join(", "))})`;
  });
  return sql.join(parts, sql` + `);
}

/** The numbers of the newest blogs that match, as a subquery for `in`. */
export const newestBlogsWith = (match: SQL, limit: SQL): SQL =>
  sql`(select rowid from blog_words where blog_words match ${match} order by rowid desc limit ${limit})`;

/** An FTS5 expression for any of these phrases (words side by side) in these columns of a blog. */
export const anyPhrase = (columns: ("title" | "description" | "tags")[], phrases: string[]): string =>
  phrases.length === 0
    ? nothing
    : `{${columns.join(" ")}} : (${[...new Set(phrases)].map(quoted).join(" OR ")})`;
