import type Sqlite from "better-sqlite3";
import { fold } from "../../shared/fold.ts";
import { joinedWord, partsOf, type SearchWord } from "./words.ts";
import { entryOffset, matchNothing, quoted } from "./full-text.ts";
import { rowStatement, valueStatement } from "./statements.ts";

/* Full-text search, for a reader thread (workers/reader.ts). */

/**
 * Full-text tables, columns for parts of words, and weights. Each column weighs more than all below it
 * together; the body, not listed, nothing.
 */
export const searched = {
  blogs: {
    words: "blog_words",
    pieces: "blog_pieces",
    terms: "blog_piece_terms",
    weights: { title: 8, tags: 4, description: 2 },
    partsIn: "{title tags}",
  },
  people: {
    words: "people_words",
    pieces: "people_pieces",
    terms: "people_piece_terms",
    weights: { username: 4, name: 2 },
    partsIn: "{name username}",
  },
} as const;

type SearchKind = keyof typeof searched;

/** The most matches that are ranked, the newest; so many are read at once. */
export const maxRanked = 1_000;
/**
 * The numbers of an index that are read to find readable ones, from the highest, and how many at most. Entries have more: those of a few
 * live blogs are not to hide all others.
 */
const ranges = {
  rows: { before: Number.MAX_SAFE_INTEGER, after: 0, most: 5_000 },
  entries: { before: 0, after: Number.MIN_SAFE_INTEGER, most: 20_000 },
};

export interface Search {
  kind: SearchKind;
  words: SearchWord[];
  viewer: string | null;
  /** The person with exactly this username comes first. */
  exact?: string;
  newestFirst?: boolean;
  limit: number;
  offset: number;
}
interface SearchResult {
  /** Row numbers of a page, the best first; of a blog found by an entry also that of the entry. */
  page: Pick<Row, "seq" | "entry">[];
  /** Of all pages. */
  total: number;
}

/** An FTS5 query, and the terms that rank its matches. */
interface Expression {
  match: string;
  terms: Term[];
}
const noExpression: Expression = { match: matchNothing, terms: [] };

/** Finds the best matches; whole words before parts. Of more than a thousand the newest are ranked. */
export function find(sqlite: Sqlite.Database, search: Search): SearchResult {
  const { words, pieces } = searched[search.kind];
  const expressionSets = expressionsOf(sqlite, search);
  const matchesByNumber = new Map<number, Match>();
  for (const [tier, table, expressions] of [
    [0, words, expressionSets.words],
    [1, pieces, expressionSets.pieces],
  ] as const) {
    // No one pages that far.
    if (matchesByNumber.size >= maxRanked) break;
    let matches: Row[] = [];
    let expression = noExpression;
    for (expression of expressions) {
      matches = newestReadable(sqlite, search, table, expression.match);
      if (matches.length >= maxRanked) break;
    }
    const scores = scoresOf(sqlite, search, expression, matches);
    for (const match of matches)
      if (!matchesByNumber.has(match.seq))
        matchesByNumber.set(match.seq, { ...match, tier, score: scores.get(match.seq) ?? 0 });
  }
  const ranking = [...matchesByNumber.values()].sort(
    (a, b) =>
      (search.newestFirst ? b.at - a.at : 0) ||
      Number(b.order === search.exact) - Number(a.order === search.exact) ||
      a.tier - b.tier ||
      b.score - a.score ||
      (search.kind === "blogs" ? b.at - a.at || (b.order > a.order ? 1 : -1) : a.order > b.order ? 1 : -1),
  );
  const page = ranking.slice(search.offset, search.offset + search.limit);
  return { page, total: ranking.length };
}

/** `entry` is 0 if a blog was found by its own words. `at` and `order` break ties. */
interface Row {
  seq: number;
  entry: number;
  at: number;
  order: string;
}
interface Match extends Row {
  tier: number;
  score: number;
}

/**
 * `visibleByIndex` reads visibility from an index; while an account's visibility is being synced, `visibleByAccount` reads the
 * accounts.
 */
const follow = "exists (select 1 from follows where follower_id = @viewer and followed_id = b.author_id)";
const shared = `(exists (select 1 from blog_authors where user_id = @viewer and accepted_at is not null)
  and exists (select 1 from blog_authors where blog_id = b.id and user_id = @viewer and accepted_at is not null))`;
const isVisibleTo = (person: string) =>
  `(not exists (select 1 from blocks where viewer_id = @viewer)
    or not exists (select 1 from blocks where viewer_id = @viewer and other_id = ${person}))
  and (not exists (select 1 from users where id > '' and suspended_at is not null)
    or not exists (select 1 from users suspended_user where suspended_user.id = ${person} and suspended_user.suspended_at is not null))
  and (not exists (select 1 from users where id > '' and limited_at is not null)
    or not exists (select 1 from users limited_user where limited_user.id = ${person} and limited_user.limited_at is not null
      and limited_user.id <> coalesce(@viewer, '')
      and not exists (select 1 from follows where follower_id = @viewer and followed_id = limited_user.id)))`;
const unmuted = `(not exists (select 1 from mutes where owner_id = @viewer)
  or not exists (select 1 from mutes where owner_id = @viewer and muted_id = b.author_id))`;
/** The blogs of the index's numbers; those below 0 are of entries. */
const hits = `(select value as seq, 0 as entry from json_each(@numbers) where value > 0
  union all select found.seq, e.seq from json_each(@numbers) j cross join entries e on e.seq = j.value + ${entryOffset}
    cross join blogs found on found.id = e.blog_id where j.value < 0 and e.withdrawn_at is null)`;
const visibleByIndex = `select b.seq, j.entry, b.published_at as at, b.id as "order" from ${hits} j
  cross join blogs b indexed by blogs_found on b.seq = j.seq
  where b.draft = 0 and (b.is_public = 1 or b.author_id = @viewer or ${follow} or ${shared}) and ${isVisibleTo("b.author_id")} and ${unmuted}`;
const visibleByAccount = `select b.seq, j.entry, b.published_at as at, b.id as "order" from ${hits} j
  cross join blogs b on b.seq = j.seq cross join users u on u.id = b.author_id
  where b.draft = 0 and (b.author_id = @viewer or (b.private = 0 and u.private = 0) or ${follow} or ${shared}) and ${isVisibleTo("b.author_id")} and ${unmuted}`;
const people = `select seq, 0 as entry, 0 as at, username as "order" from json_each(@numbers) j cross join users on seq = j.value
  where ${isVisibleTo("users.id")}`;

/**
 * Returns the newest readable matches, at most `count`, each blog once: by its own words, or, if `entries` may have them, by the newest
 * with them.
 */
export function newestReadable(
  sqlite: Sqlite.Database,
  { kind, viewer }: Search,
  table: string,
  match: string,
  { count = maxRanked, entries = kind === "blogs" } = {},
): Row[] {
  const isSynced =
    valueStatement<[], number>(
      sqlite,
      "select 1 from users where visibility_sync_pending = 1 limit 1",
    ).get() === undefined;
  const readable = rowStatement<object, Row>(
    sqlite,
    kind === "people" ? people : isSynced ? visibleByIndex : visibleByAccount,
  );
  const next = valueStatement<[string, number, number, number], number>(
    sqlite,
    // FTS5 reads only this range if the numbers are integers; better-sqlite3 binds them as reals.
    `select rowid from ${table} where ${table} match ? and rowid < cast(? as integer) and rowid > cast(? as integer)
      order by rowid desc limit ?`,
  );
  const rows = new Map<number, Row>();
  for (const { after, most, ...range } of entries ? [ranges.rows, ranges.entries] : [ranges.rows]) {
    let { before } = range;
    for (let read = 0; read < most && rows.size < count; read += maxRanked) {
      const numbers = next.all(match, before, after, maxRanked);
      for (const row of readable.all({ numbers: JSON.stringify(numbers), viewer }))
        if (!rows.has(row.seq)) rows.set(row.seq, row);
      if (numbers.length < maxRanked) break;
      before = numbers.at(-1)!;
    }
  }
  return [...rows.values()].slice(0, count);
}

/** Tags are JSON, whose punctuation matches no word. */
export const texts = {
  blogs: "select seq, title, tags, description from json_each(?) j cross join blogs on seq = j.value",
  people: "select seq, username, name from json_each(?) j cross join users on seq = j.value",
};

/**
 * Scores matches by the columns with each term. FTS5's own rank reads all entries of a word several times to learn how rare it
 * is; here at most a thousand short texts are read.
 */
function scoresOf(
  sqlite: Sqlite.Database,
  { kind }: Search,
  { terms }: Expression,
  matches: Row[],
): Map<number, number> {
  const scores = new Map<number, number>();
  if (matches.length < 2) return scores;
  const weights = Object.entries(searched[kind].weights);
  const numbers = JSON.stringify(matches.map(({ seq }) => seq));
  for (const row of rowStatement<[string], { seq: number }>(sqlite, texts[kind]).iterate(numbers)) {
    let score = 0;
    for (const [column, weight] of weights) {
      const text = fold((row as unknown as Record<string, string>)[column] ?? "");
      for (const matchesTerm of terms) if (matchesTerm(text)) score += weight;
    }
    scores.set(row.seq, score);
  }
  return scores;
}

/** Whether a folded text contains a term. */
type Term = (text: string) => boolean;
const termAnywhere =
  ({ text }: Pick<SearchWord, "text">): Term =>
  (content) =>
    content.includes(text);
/** Matches a word or its beginning; any punctuation may separate the parts of a compound like `node.js`. */
function asWord(text: string, isBeginning: boolean): Term {
  const parts = partsOf(text).map((part) => part.replace(/[^\p{L}\p{N}\p{M}]/gu, ""));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}\\p{M}])${parts.join("[^\\p{L}\\p{N}\\p{M}]*")}${isBeginning ? "" : "(?![\\p{L}\\p{N}\\p{M}])"}`,
    "u",
  );
  return (content) => content.includes(parts[0] ?? "") && pattern.test(content);
}

/**
 * Builds the queries for words and pieces, in the order of trying. Words are quoted, so that they contain no operator. For a
 * prefix FTS5 reads all entries of each matching word: so the last word is first tried as a whole.
 */
export function expressionsOf(
  sqlite: Sqlite.Database,
  { kind, words }: Pick<Search, "kind" | "words">,
): { words: Expression[]; pieces: Expression[] } {
  if (words.length === 0) return { words: [], pieces: [] };
  if (words.some((word) => word.spaceless)) {
    const parts = words.map((word) => pieceOf(sqlite, kind, word));
    const match = parts.map((part) => `(${part})`).join(" AND ");
    return {
      words: [],
      pieces: parts.includes(matchNothing) ? [] : [{ match, terms: words.map(termAnywhere) }],
    };
  }
  const quotedWords = words.map(({ text }) => quoted(text));
  const joined = joinedWord(words);
  const asWords = (isBeginning: boolean): Expression => {
    const end = isBeginning ? "*" : "";
    const all = [...quotedWords.slice(0, -1), `${quotedWords.at(-1)}${end}`].join(" AND ");
    const terms = words.map(({ text }, index) => asWord(text, isBeginning && index === words.length - 1));
    return joined
      ? { match: `(${all}) OR ${quoted(joined)}${end}`, terms: [...terms, asWord(joined, isBeginning)] }
      : { match: all, terms };
  };
  const pieces = `${searched[kind].partsIn} : (${quotedWords.join(" AND ")})`;
  return {
    words: (words.at(-1)?.text.length ?? 0) > 1 ? [asWords(false), asWords(true)] : [asWords(false)],
    pieces: words.every(({ text }) => [...text].length > 2)
      ? [{ match: pieces, terms: words.map(termAnywhere) }]
      : [],
  };
}

const mostTerms = 100;

/** Shorter than a piece (three characters): searches the pieces that begin with it. */
function pieceOf(sqlite: Sqlite.Database, kind: SearchKind, word: SearchWord): string {
  if ([...word.text].length > 2) return quoted(word.text);
  const from = word.text;
  const terms = valueStatement<[string, string, number], string>(
    sqlite,
    `select term from ${searched[kind].terms} where term >= ? and term < ? order by doc desc, term limit ?`,
  ).all(from, `${from}\u{10ffff}`, mostTerms * 3);
  // `AI` must be a word of its own also before Chinese, where no space ends it.
  const usable = word.spaceless ? terms : terms.filter((term) => !/^[a-z0-9]/i.test(term.slice(from.length)));
  return usable.length > 0
    ? usable
        .slice(0, mostTerms)
        .map((term) => `"${term.replaceAll('"', '""')}"`)
        .join(" OR ")
    : matchNothing;
}
