import { setImmediate } from "node:timers/promises";
import type pg from "pg";
import { fold } from "../../../shared/fold.ts";
import { isConnectionLost } from "../errors.ts";
import { entryOffset } from "../search/full-text.ts";
import { weightOfField } from "./match.ts";
import { PieceVector, WordVector } from "./vectors.ts";
import { searched, type SearchKind } from "../search/search-index.ts";
import { spaceless } from "../search/words.ts";

/*
 * Keeps the search index of PostgreSQL: triggers note in `search_pending` what has changed, and the writer indexes it before its commit,
 * since only JavaScript can fold texts.
 */

interface Pending {
  kind: SearchKind;
  number: number;
}

/** A row to index, with its fields in the order of their weights, the text last. */
interface Indexed {
  number: number;
  fields: [name: string, value: string][];
}

interface IndexRow {
  number: number;
  words: string;
  pieces: string;
}

/** Rows that are indexed at once. */
const rowsPerStep = 100;
/** Milliseconds after which others have their turn, and characters of a text that are split in a moment. */
const turnMs = 10;
const sliceLength = 20_000;

const takePending = {
  name: "take-search-pending",
  text: `delete from search_pending where ctid = any(array(select ctid from search_pending limit ${rowsPerStep})) returning kind, number`,
};

const tables = { blogs: "blog_index", people: "people_index" };

/** Numbers below 0 are of entries. Rows that nobody can find are not in it. */
const queries = {
  blogs: `select seq as number, title, tags, description, text from blogs where seq = any($1::bigint[]) and draft = 0
    union all select seq - ${entryOffset}, title, '[]', '', text from entries
      where seq = any(array(select ${entryOffset} + n from unnest($1::bigint[]) n where n < 0)) and withdrawn_at is null`,
  people: `select seq as number, username, name, bio from users where seq = any($1::bigint[]) and verified_at is not null`,
};

/**
 * Indexes what an open transaction has changed. A row that PostgreSQL refuses is left out and reported: the change is stored all the same,
 * and a rebuild tries again.
 */
export async function indexPending(
  client: pg.ClientBase,
  onError: (error: unknown, what: string) => void,
): Promise<void> {
  for (;;) {
    const { rows: pending } = await client.query<Pending>(takePending);
    for (const kind of Object.keys(searched) as SearchKind[]) {
      const numbers = pending.filter((row) => row.kind === kind).map(({ number }) => number);
      if (numbers.length > 0) await indexRows(client, kind, numbers, onError);
    }
    if (pending.length < rowsPerStep) return;
  }
}

async function indexRows(
  client: pg.ClientBase,
  kind: SearchKind,
  numbers: number[],
  onError: (error: unknown, what: string) => void,
): Promise<void> {
  const { rows } = await client.query<Record<string, string> & { number: number }>(queries[kind], [numbers]);
  const indexRow = steadily();
  const indexed: IndexRow[] = [];
  for (const { number, ...fields } of rows)
    indexed.push(await indexRow({ number, fields: Object.entries(fields) }));
  const found = new Set(rows.map(({ number }) => number));
  const gone = numbers.filter((number) => !found.has(number));
  if (gone.length > 0)
    await client.query(`delete from ${tables[kind]} where number = any($1::bigint[])`, [gone]);
  if (indexed.length > 0) await storeRows(client, kind, indexed, onError);
}

/** Stores rows in a savepoint; if they are refused, one at a time. */
async function storeRows(
  client: pg.ClientBase,
  kind: SearchKind,
  rows: IndexRow[],
  onError: (error: unknown, what: string) => void,
): Promise<void> {
  await client.query("savepoint indexing");
  try {
    await client.query(
      `insert into ${tables[kind]} (number, words, pieces)
        select number, words::tsvector, pieces::tsvector from unnest($1::bigint[], $2::text[], $3::text[]) as row (number, words, pieces)
        on conflict (number) do update set words = excluded.words, pieces = excluded.pieces`,
      [rows.map(({ number }) => number), rows.map(({ words }) => words), rows.map(({ pieces }) => pieces)],
    );
    await client.query("release indexing");
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    await client.query("rollback to indexing; release indexing");
    if (rows.length === 1)
      onError(error, `row ${rows[0]!.number} of ${kind} could not be indexed for search`);
    else for (const row of rows) await storeRows(client, kind, [row], onError);
  }
}

/** Returns a function that builds the vectors of a row, and now and then lets others have their turn. */
function steadily(): (row: Indexed) => Promise<IndexRow> {
  let since = performance.now();
  return async ({ number, fields }) => {
    const words = new WordVector();
    const pieces = new PieceVector();
    for (const [field, value] of fields) {
      const weight = weightOfField[field] ?? "D";
      const isLong = field === "text" || field === "bio";
      const hasPieces = !isLong || spaceless.test(value);
      for (const part of field === "tags" ? [] : slicesOf(value)) {
        const folded = fold(part);
        words.add(folded, weight);
        if (hasPieces) pieces.add(folded, weight);
        if (performance.now() - since < turnMs) continue;
        await setImmediate();
        since = performance.now();
      }
      if (field === "tags") addTags(JSON.parse(value) as string[], words, pieces);
      words.endField();
      if (hasPieces) pieces.endField(weight);
    }
    return { number, words: String(words), pieces: String(pieces) };
  };
}

/** A tag is indexed as its words and as one: `web-development` is `webdevelopment` too. */
function addTags(tags: string[], words: WordVector, pieces: PieceVector): void {
  const folded = tags.map(fold);
  for (const tag of folded) words.add(`${tag} ${tag.replaceAll(/[-._]/g, "")}`, "B");
  pieces.add(folded.join(" "), "B");
}

/** Cuts a long text between its words. */
const slicesOf = (text: string): string[] =>
  text.length <= sliceLength ? [text] : (text.match(/[^]{1,20000}(?=\s|$)|[^]{1,20000}/gu) ?? []);
