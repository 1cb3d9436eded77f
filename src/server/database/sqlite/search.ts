import type Sqlite from "better-sqlite3";
import { entryOffset, quoted } from "../search/full-text.ts";
import {
  isPersonReadable,
  isReadableByAccount,
  isReadableByIndex,
  unsyncedAccount,
} from "../search/visibility.ts";
import {
  maxRanked,
  mostRead,
  textQueries,
  type FoundRow,
  type IndexQuery,
  type Match,
  type Search,
  type SearchIndex,
  type SearchKind,
  type Texts,
} from "../search/search-index.ts";
import { rowStatement, valueStatement } from "./statements.ts";

/* The search index of SQLite: full-text tables (FTS5). */

const tables = {
  blogs: { words: "blog_words", pieces: "blog_pieces", terms: "blog_piece_terms" },
  people: { words: "people_words", pieces: "people_pieces", terms: "people_piece_terms" },
};

/** The numbers of an index, from the highest. */
const ranges = {
  rows: { before: Number.MAX_SAFE_INTEGER, after: 0, most: mostRead.rows },
  entries: { before: 0, after: Number.MIN_SAFE_INTEGER, most: mostRead.entries },
};

/** The blogs of the index's numbers; those below 0 are of entries. */
const hits = `(select value as seq, 0 as entry from json_each(@numbers) where value > 0
  union all select found.seq, e.seq from json_each(@numbers) j cross join entries e on e.seq = j.value + ${entryOffset}
    cross join blogs found on found.id = e.blog_id where j.value < 0 and e.withdrawn_at is null)`;
const readableByIndex = `select b.seq, j.entry, b.published_at as at, b.id as "order" from ${hits} j
  cross join blogs b indexed by blogs_found on b.seq = j.seq where ${isReadableByIndex}`;
const readableByAccount = `select b.seq, j.entry, b.published_at as at, b.id as "order" from ${hits} j
  cross join blogs b on b.seq = j.seq cross join users u on u.id = b.author_id where ${isReadableByAccount}`;
const readablePeople = `select seq, 0 as entry, 0 as at, username as "order" from json_each(@numbers) j cross join users on seq = j.value
  where ${isPersonReadable}`;

/** Searches the index of a connection. */
export const sqliteSearch = (sqlite: Sqlite.Database): SearchIndex => ({
  newestReadable: async (search, query, options) => newestReadable(sqlite, search, query, options),
  rankedTexts: async (kind, numbers) =>
    rowStatement<[string], Record<string, unknown>>(sqlite, inOrder(textQueries.ranked[kind])).all(
      JSON.stringify(numbers),
    ),
  shownTexts: async (kind, numbers) => textsOf(sqlite, textQueries.shown[kind], numbers),
  shownEntries: async (numbers) => textsOf(sqlite, textQueries.entries, numbers),
});

const inOrder = (query: string) =>
  query.replace(" from ", " from json_each(?) j cross join ") + " on seq = j.value";

function textsOf(sqlite: Sqlite.Database, query: string, numbers: number[]): Texts {
  const statement = rowStatement<[number], Record<string, string> & { seq: number }>(
    sqlite,
    `${query} where seq = ?`,
  );
  return new Map(numbers.flatMap((number) => statement.all(number)).map(({ seq, ...texts }) => [seq, texts]));
}

function newestReadable(
  sqlite: Sqlite.Database,
  { kind, viewer }: Pick<Search, "kind" | "viewer">,
  query: IndexQuery,
  { count = maxRanked, entries = kind === "blogs" } = {},
): FoundRow[] {
  const match = matchOf(sqlite, kind, query);
  if (match === undefined) return [];
  const table = tables[kind][query.index];
  const isSynced = valueStatement<[], number>(sqlite, unsyncedAccount).get() === undefined;
  const readable = rowStatement<object, FoundRow>(
    sqlite,
    kind === "people" ? readablePeople : isSynced ? readableByIndex : readableByAccount,
  );
  const next = valueStatement<[string, number, number, number], number>(
    sqlite,
    // FTS5 reads only this range if the numbers are integers; better-sqlite3 binds them as reals.
    `select rowid from ${table} where ${table} match ? and rowid < cast(? as integer) and rowid > cast(? as integer)
      order by rowid desc limit ?`,
  );
  const rows = new Map<number, FoundRow>();
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

/** Returns the FTS5 query, or undefined if it finds nothing. */
function matchOf(
  sqlite: Sqlite.Database,
  kind: SearchKind,
  { fields, match }: IndexQuery,
): string | undefined {
  const text = textOf(sqlite, kind, match);
  return fields && text !== undefined ? `{${fields.join(" ")}} : (${text})` : text;
}

/** Texts are quoted, so that they contain no operator. */
function textOf(sqlite: Sqlite.Database, kind: SearchKind, match: Match): string | undefined {
  if ("text" in match) return `${quoted(match.text)}${match.isBeginning ? "*" : ""}`;
  if ("short" in match) return piecesFrom(sqlite, kind, match);
  const isAll = "all" in match;
  const parts = (isAll ? match.all : match.any).map((part) => textOf(sqlite, kind, part));
  const usable = parts.flatMap((part) => (part === undefined ? [] : [`(${part})`]));
  return usable.length === 0 || (isAll && usable.length < parts.length)
    ? undefined
    : usable.join(isAll ? " AND " : " OR ");
}

const mostTerms = 100;

/** Returns the most frequent pieces that begin with one or two characters. */
function piecesFrom(
  sqlite: Sqlite.Database,
  kind: SearchKind,
  { short, isWord }: { short: string; isWord: boolean },
): string | undefined {
  const terms = valueStatement<[string, string, number], string>(
    sqlite,
    `select term from ${tables[kind].terms} where term >= ? and term < ? order by doc desc, term limit ?`,
  ).all(short, `${short}\u{10ffff}`, mostTerms * 3);
  const usable = isWord ? terms.filter((term) => !/^[a-z0-9]/i.test(term.slice(short.length))) : terms;
  return usable.length > 0
    ? usable
        .slice(0, mostTerms)
        .map((term) => `"${term.replaceAll('"', '""')}"`)
        .join(" OR ")
    : undefined;
}
