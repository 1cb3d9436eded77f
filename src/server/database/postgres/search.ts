import type pg from "pg";
import { entryOffset } from "../search/full-text.ts";
import { conditionsOf } from "./match.ts";
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
  type Search,
  type SearchIndex,
  type SearchKind,
  type Texts,
} from "../search/search-index.ts";

/* The search index of PostgreSQL (migrations/postgres). */

/** Searches the index in one transaction of a connection. */
export class PostgresSearch implements SearchIndex {
  readonly #client: pg.ClientBase;
  #unsynced: Promise<unknown[]> | undefined;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async newestReadable(
    { kind, viewer }: Pick<Search, "kind" | "viewer">,
    query: IndexQuery,
    { count = maxRanked, entries = kind === "blogs" } = {},
  ): Promise<FoundRow[]> {
    const conditions = conditionsOf(query);
    if (conditions === undefined) return [];
    const isSynced = (await (this.#unsynced ??= this.#rows(unsyncedAccount))).length === 0;
    const matches = conditions.map(({ vector }, at) => `${vector} @@ $${at + 3}::tsquery`).join(" and ");
    // Not prepared: they are planned by how frequent the words are.
    const read = (source: string) =>
      this.#rows<FoundRow>(source.replaceAll("@viewer", "$1::text").replaceAll("@count", "$2::bigint"), [
        viewer,
        count,
        ...conditions.map((condition) => condition.query),
      ]);
    if (kind === "people") return read(peopleQuery(matches));
    const rows = await read(blogsQuery(matches, isSynced));
    if (!entries || rows.length >= count) return rows;
    const found = new Map(rows.map((row) => [row.seq, row]));
    for (const row of await read(entriesQuery(matches, isSynced)))
      if (!found.has(row.seq)) found.set(row.seq, row);
    return [...found.values()].slice(0, count);
  }

  rankedTexts = (kind: SearchKind, numbers: number[]): Promise<Record<string, unknown>[]> =>
    this.#rows(among(textQueries.ranked[kind]), [numbers]);

  shownTexts = (kind: SearchKind, numbers: number[]): Promise<Texts> =>
    this.#texts(textQueries.shown[kind], numbers);

  shownEntries = (numbers: number[]): Promise<Texts> => this.#texts(textQueries.entries, numbers);

  async #texts(query: string, numbers: number[]): Promise<Texts> {
    if (numbers.length === 0) return new Map();
    const rows = await this.#rows<Record<string, string> & { seq: number }>(among(query), [numbers]);
    return new Map(rows.map(({ seq, ...texts }) => [seq, texts]));
  }

  async #rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query(text, values)).rows as Row[];
  }
}

const among = (query: string) => `${query} where seq = any($1::bigint[])`;

const newest = (table: string, matches: string, range: string, most: number) =>
  `(select number from ${table} where ${matches} and number ${range} order by number desc limit ${most})`;

const peopleQuery = (matches: string) => `select users.seq, 0 as entry, 0 as at, users.username as "order"
  from ${newest("people_index", matches, "> 0", mostRead.rows)} hit join users on users.seq = hit.number
  where ${isPersonReadable} order by users.seq desc limit @count`;

const found = (isSynced: boolean) =>
  isSynced ? `where ${isReadableByIndex}` : `join users u on u.id = b.author_id where ${isReadableByAccount}`;

const blogsQuery = (
  matches: string,
  isSynced: boolean,
) => `select b.seq, 0 as entry, b.published_at as at, b.id as "order"
  from ${newest("blog_index", matches, "> 0", mostRead.rows)} hit join blogs b on b.seq = hit.number
  ${found(isSynced)} order by b.seq desc limit @count`;

/** Each blog once, by its newest entry. */
const entriesQuery = (
  matches: string,
  isSynced: boolean,
) => `select b.seq, hit.entry, b.published_at as at, b.id as "order"
  from (select e.blog_id, max(e.seq) as entry from ${newest("blog_index", matches, "< 0", mostRead.entries)} hit
    join entries e on e.seq = hit.number + ${entryOffset} where e.withdrawn_at is null group by e.blog_id) hit
  join blogs b on b.id = hit.blog_id
  ${found(isSynced)} order by hit.entry desc limit @count`;
