import { shorten } from "../../shared/document/shorten.ts";
import { tooBusy } from "../../shared/errors.ts";
import type { TextPart } from "../../shared/search.ts";
import { isBusy } from "../database/errors.ts";
import { find, type Search } from "../database/full-text-search.ts";
import { similarQuery } from "../database/similar-words.ts";
import { openSqlite } from "../database/sqlite.ts";
import { rowStatement } from "../database/statements.ts";
import { lowerPriority } from "../runtime/priority.ts";
import { highlighter, type Highlighter } from "../database/highlight.ts";
import type { TaskResult } from "./worker.ts";

/* Entry of a thread that reads the database (`reader-pool.ts`). Few imports, for a fast start. */

type Store = ReturnType<typeof openSqlite>;
const openDatabases = new Map<string, Store>();

/** Characters of a text searched for a snippet. */
const maxSnippetLength = 16_000;

const textQueries = {
  blogs: `select id, title, description, excerpt, substr(text, 1, ${maxSnippetLength}) as text from blogs where seq = ?`,
  people: "select id, name, username, bio from users where seq = ?",
};
const entryText = `select id, case when title = '' then text when text = '' then title else title || ' · ' || text end as text
  from entries where seq = ?`;

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

function readTogether<T>(sqlite: Store, work: () => T): T {
  sqlite.exec("begin");
  try {
    return work();
  } finally {
    sqlite.exec("commit");
  }
}

function storeIn(file: string): Store {
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
  /** Returns a page of results with marked texts; if there are none, a query with similar words that has some. */
  search({ file, ...query }: Search & { file: string }): SearchAnswer {
    const sqlite = storeIn(file);
    return readTogether(sqlite, () => {
      const { page, total } = find(sqlite, query);
      const marks = highlighter(query.words);
      const textsOf = rowStatement<[number], Record<string, string>>(sqlite, textQueries[query.kind]);
      const entryOf = rowStatement<[number], { id: string; text: string }>(sqlite, entryText);
      const found = page.flatMap(({ seq, entry: entrySeq }) => {
        const { id = "", text: ownText, excerpt = "", ...shortTexts } = textsOf.get(seq) ?? {};
        const entry = entrySeq === 0 ? undefined : entryOf.get(entrySeq);
        const markedTexts = Object.entries(shortTexts).map(
          ([name, value]) => [name, marks.whole(value)] as const,
        );
        if (ownText !== undefined)
          markedTexts.push([
            "snippet",
            entry ? snippetOfEntry(marks, entry.text) : marks.snippet(ownText, excerpt),
          ]);
        return id === "" ? [] : [{ id, entryId: entry?.id, marks: Object.fromEntries(markedTexts) }];
      });
      return { found, total, suggestion: total === 0 ? similarQuery(sqlite, query) : undefined };
    });
  },
};
export type Reads = typeof reads;

lowerPriority("thread");

export default function answer({ name, input }: { name: keyof Reads; input: never }): TaskResult {
  try {
    return { value: reads[name](input) };
  } catch (error) {
    if (isBusy(error)) return { refused: tooBusy().message };
    throw error;
  }
}
