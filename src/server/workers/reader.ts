import { shorten } from "../../shared/document/shorten.ts";
import { tooBusy } from "../../shared/errors.ts";
import type { TextPart } from "../../shared/search.ts";
import { isBusy } from "../database/errors.ts";
import { find } from "../database/search/full-text-search.ts";
import { isPostgresUrl } from "../database/schema/store.ts";
import type { Search, SearchIndex } from "../database/search/search-index.ts";
import { similarQuery } from "../database/search/similar-words.ts";
import { openSqlite } from "../database/sqlite/open.ts";
import { sqliteSearch } from "../database/sqlite/search.ts";
import { lowerPriority } from "../runtime/priority.ts";
import { highlighter, type Highlighter } from "../database/search/highlight.ts";
import type { TaskResult } from "./worker.ts";

/* Entry of a thread that reads the database (`reader-pool.ts`). Few imports, for a fast start. */

const openDatabases = new Map<string, ReturnType<typeof openSqlite>>();

interface MarkedResult {
  id: string;
  /** The entry that a live blog was found by. */
  entryId: string | undefined;
  marks: Record<string, TextPart[]>;
}

interface SearchAnswer {
  found: MarkedResult[];
  total: number;
  suggestion: string | undefined;
}

/** Runs `work` on the index of a store, in one snapshot. */
async function readTogether<T>(store: string, work: (index: SearchIndex) => Promise<T>): Promise<T> {
  if (isPostgresUrl(store)) {
    const { readTogether: readOf } = await import("../database/postgres/reader.ts");
    const { PostgresSearch } = await import("../database/postgres/search.ts");
    return readOf(store, (client) => work(new PostgresSearch(client)));
  }
  const sqlite = databaseIn(store);
  sqlite.exec("begin");
  try {
    return await work(sqliteSearch(sqlite));
  } finally {
    sqlite.exec("commit");
  }
}

function databaseIn(file: string): ReturnType<typeof openSqlite> {
  let sqlite = openDatabases.get(file);
  if (!sqlite) openDatabases.set(file, (sqlite = openSqlite(file, true, 5_000, 8_000)));
  return sqlite;
}

/** An entry found by parts of words in its title has no whole ones to show. */
function snippetOfEntry(marks: Highlighter, text: string): TextPart[] {
  const parts = marks.snippet(text, "");
  return parts.length > 0 ? parts : marks.whole(shorten(text, 200));
}

const reads = {
  /**
   * Returns a page of results with marked texts; if there are none, a query with similar words that has some. `store` is a file of SQLite,
   * or the address of a database of PostgreSQL.
   */
  search: ({ store, ...query }: Search & { store: string }): Promise<SearchAnswer> =>
    readTogether(store, async (index) => {
      const { page, total } = await find(index, query);
      const marks = highlighter(query.words);
      const texts = await index.shownTexts(
        query.kind,
        page.map(({ seq }) => seq),
      );
      const entries = await index.shownEntries(page.flatMap(({ entry }) => (entry === 0 ? [] : [entry])));
      const found = page.flatMap(({ seq, entry: entrySeq }) => {
        const { id = "", text: ownText, excerpt = "", ...shortTexts } = texts.get(seq) ?? {};
        const entry = entries.get(entrySeq);
        const markedTexts = Object.entries(shortTexts).map(
          ([name, value]) => [name, marks.whole(value)] as const,
        );
        if (ownText !== undefined)
          markedTexts.push([
            "snippet",
            entry ? snippetOfEntry(marks, entry.text ?? "") : marks.snippet(ownText, excerpt),
          ]);
        return id === "" ? [] : [{ id, entryId: entry?.id, marks: Object.fromEntries(markedTexts) }];
      });
      return { found, total, suggestion: total === 0 ? await similarQuery(index, query) : undefined };
    }),
};
export type Reads = typeof reads;

lowerPriority("thread");

export default async function answer({
  name,
  input,
}: {
  name: keyof Reads;
  input: never;
}): Promise<TaskResult> {
  try {
    return { value: await reads[name](input) };
  } catch (error) {
    if (isBusy(error)) return { refused: tooBusy().message };
    throw error;
  }
}
