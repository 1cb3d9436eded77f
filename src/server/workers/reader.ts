import { tooBusy } from "../../shared/errors.ts";
import type { TextPart } from "../../shared/search.ts";
import { isBusy } from "../database/errors.ts";
import { find, type Search } from "../database/find.ts";
import { findForStaff, type StaffFound, type StaffSearch } from "../database/find-for-staff.ts";
import {
  lastChanged,
  mappedBlogs,
  mappedPeople,
  mappedTags,
  mappedUpTo,
  type TagPart,
} from "../database/site-map.ts";
import { openSqlite } from "../database/sqlite.ts";
import { rowStatement } from "../database/statements.ts";
import { urlSet } from "../feeds/site-map-xml.ts";
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

function storeIn(file: string): Store {
  let sqlite = open.get(file);
  if (!sqlite) open.set(file, (sqlite = openSqlite(file, true, 5_000, 8_000)));
  return sqlite;
}

const reads = {
  /** A page of what a search finds, by its id, with what is shown of its texts. */
  search({ file, ...asked }: Search & { file: string }): { found: Marked[]; total: number } {
    const sqlite = storeIn(file);
    return readTogether(sqlite, () => {
      const { numbers, total } = find(sqlite, asked);
      const marks = highlighter(asked.words);
      const textsOf = rowStatement<[number], Record<string, string>>(sqlite, shown[asked.kind]);
      const found = numbers.flatMap((number) => {
        const { id = "", text, excerpt = "", ...short } = textsOf.get(number) ?? {};
        const marked = Object.entries(short).map(([name, value]) => [name, marks.whole(value)] as const);
        if (text !== undefined) marked.push(["snippet", marks.snippet(text, excerpt)]);
        return id === "" ? [] : [{ id, marks: Object.fromEntries(marked) }];
      });
      return { found, total };
    });
  },

  /** A page of what a moderator finds, by its numbers. */
  staffSearch({ file, ...asked }: StaffSearch & { file: string }): StaffFound {
    const sqlite = storeIn(file);
    return readTogether(sqlite, () => findForStaff(sqlite, asked));
  },

  /** A part of the site's map as XML; empty where it has nothing that everybody may read. */
  mapPart({ file, kind, part, size, origin, now }: MapAsked): string {
    const list = kind === "blogs" ? mappedBlogs : mappedPeople;
    return urlSet(origin, list(storeIn(file), { part, size, now }));
  },

  /** How many parts there are of blogs and of people. */
  mapParts: ({ file, size }: { file: string; size: number }): Record<MapKind, number> => ({
    blogs: Math.ceil(mappedUpTo(storeIn(file), "blogs") / size),
    people: Math.ceil(mappedUpTo(storeIn(file), "people") / size),
  }),

  /** When something in each of these parts of the blogs changed last; null where one has nothing. */
  mapChanged: ({ file, size, parts }: { file: string; size: number; parts: number[] }): (number | null)[] =>
    parts.map((part) => lastChanged(storeIn(file), { part, size })),

  /** A part of the tags as XML; empty where everybody finds something by none of them. */
  mapTags: ({ file, origin, ...part }: TagPart & { file: string; origin: string }): string =>
    urlSet(origin, mappedTags(storeIn(file), part).places),

  /** When something came to a part of the tags last, null where it has none; and after which the next one begins. */
  mapTagsChanged({ file, ...part }: TagPart & { file: string }): { at: number | null; next: string | null } {
    const { places, next } = mappedTags(storeIn(file), part);
    return { at: places.reduce<number | null>((at, place) => Math.max(at ?? 0, place.at ?? 0), null), next };
  },
};
export type Reads = typeof reads;

export type MapKind = "blogs" | "people";
interface MapAsked {
  file: string;
  kind: MapKind;
  part: number;
  size: number;
  origin: string;
  now: number;
}

stepBack("thread");

export default function answer({ name, input }: { name: keyof Reads; input: never }): Answered {
  try {
    return { value: reads[name](input) };
  } catch (error) {
    if (isBusy(error)) return { refused: tooBusy().message };
    throw error;
  }
}
