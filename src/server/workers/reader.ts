import type { TextPart } from "../../shared/search.ts";
import { isBusy } from "../database/errors.ts";
import { find, type Search } from "../database/find.ts";
import { openSqlite } from "../database/sqlite.ts";
import { stepBack } from "../priority.ts";
import { highlighter } from "../search/highlight.ts";
import type { Answered } from "./worker.ts";

/* The entry of a thread that reads the store (`readers.ts`), on a connection of its own. It knows no more than SQLite and
 * words, so that it is there at once. */

type Store = ReturnType<typeof openSqlite>;
const open = new Map<string, Store>();

/** Of a longer text its beginning alone is looked through for a snippet, in characters. */
const lookedThrough = 16_000;

/** What is shown of each, as it is stored; of a long text a stretch with the words in it. */
const shown = {
  blogs: `select id, title, description, excerpt, substr(text, 1, ${lookedThrough}) as text from blogs where number = ?`,
  people: "select id, name, username, bio from users where number = ?",
};

interface Marked {
  id: string;
  marks: Record<string, TextPart[]>;
}

function readTogether<T>(sqlite: Store, work: () => T): T {
  sqlite.exec("begin");
  try {
    return work();
  } finally {
    sqlite.exec("commit");
  }
}

const reads = {
  /** A page of what a search finds, by its id, with what is shown of its texts. */
  search({ file, ...asked }: Search & { file: string }): { found: Marked[]; total: number } {
    let sqlite = open.get(file);
    if (!sqlite) open.set(file, (sqlite = openSqlite(file, true, 5_000, 8_000)));
    return readTogether(sqlite, () => {
      const { numbers, total } = find(sqlite, asked);
      const marks = highlighter(asked.words);
      const textsOf = sqlite.prepare<[number], Record<string, string>>(shown[asked.kind]);
      const found = numbers.flatMap((number) => {
        const { id = "", text, excerpt = "", ...short } = textsOf.get(number) ?? {};
        const marked = Object.entries(short).map(([name, value]) => [name, marks.whole(value)] as const);
        if (text !== undefined) marked.push(["snippet", marks.snippet(text, excerpt)]);
        return id === "" ? [] : [{ id, marks: Object.fromEntries(marked) }];
      });
      return { found, total };
    });
  },
};
export type Reads = typeof reads;

stepBack("thread");

export default function answer({ name, input }: { name: keyof Reads; input: never }): Answered {
  try {
    return { value: reads[name](input) };
  } catch (error) {
    if (isBusy(error)) return { refused: "The site is very busy. Please try again in a moment." };
    throw error;
  }
}
