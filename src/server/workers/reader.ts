import { tooBusy } from "../../shared/errors.ts";
import type { TextPart } from "../../shared/search.ts";
import { isBusy } from "../database/errors.ts";
import { find, type Search } from "../database/full-text-search.ts";
import { similarQuery } from "../database/similar-words.ts";
import {
  areTagsPublic,
  hasMappedPeople,
  lastChanged,
  mappedBlogs,
  mappedPeople,
  mappedTags,
  highestSeq,
  type TagPart,
} from "../database/site-map.ts";
import { openSqlite } from "../database/sqlite.ts";
import { rowStatement } from "../database/statements.ts";
import { urlSet } from "../feeds/site-map-xml.ts";
import { lowerPriority } from "../runtime/priority.ts";
import { highlighter } from "../search/highlight.ts";
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

interface MarkedResult {
  id: string;
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

const reads = {
  /** Returns a page of results with marked texts; if there are none, a query with similar words that has some. */
  search({ file, ...query }: Search & { file: string }): SearchAnswer {
    const sqlite = storeIn(file);
    return readTogether(sqlite, () => {
      const { numbers, total } = find(sqlite, query);
      const marks = highlighter(query.words);
      const textsOf = rowStatement<[number], Record<string, string>>(sqlite, textQueries[query.kind]);
      const found = numbers.flatMap((number) => {
        const { id = "", text, excerpt = "", ...shortTexts } = textsOf.get(number) ?? {};
        const markedTexts = Object.entries(shortTexts).map(
          ([name, value]) => [name, marks.whole(value)] as const,
        );
        if (text !== undefined) markedTexts.push(["snippet", marks.snippet(text, excerpt)]);
        return id === "" ? [] : [{ id, marks: Object.fromEntries(markedTexts) }];
      });
      return { found, total, suggestion: total === 0 ? similarQuery(sqlite, query) : undefined };
    });
  },

  /** Returns a part of the site map as XML; empty without public pages. */
  mapPart({ file, kind, part, size, origin, now }: MapPartQuery): string {
    const mapped = kind === "blogs" ? mappedBlogs : mappedPeople;
    return urlSet(origin, mapped(storeIn(file), { part, size, origin, now }));
  },

  mapParts: ({ file, size }: { file: string; size: number }): Record<MapKind, number> => ({
    blogs: Math.ceil(highestSeq(storeIn(file), "blogs") / size),
    people: Math.ceil(highestSeq(storeIn(file), "people") / size),
  }),

  /** Returns when each part of the blogs last changed; null for an empty one. */
  mapChanged: ({ file, parts, ...query }: MapPartsQuery): (number | null)[] =>
    parts.map((part) => lastChanged(storeIn(file), { ...query, part })),

  /** Returns those parts of the people that are not empty. */
  mapPeopleParts: ({ file, parts, ...query }: MapPartsQuery): number[] =>
    parts.filter((part) => hasMappedPeople(storeIn(file), { ...query, part })),

  /** Returns a part of the tags as XML; empty without public blogs. */
  mapTags: ({ file, origin, ...part }: TagPart & { file: string; origin: string }): string =>
    urlSet(origin, mappedTags(storeIn(file), part).places),

  /** Returns when a part of the tags last gained a blog (null: empty), and the next part's cursor. */
  mapTagsChanged({ file, ...part }: TagPart & { file: string }): { at: number | null; next: string | null } {
    const { places, next } = mappedTags(storeIn(file), part);
    return { at: places.reduce<number | null>((at, entry) => Math.max(at ?? 0, entry.at ?? 0), null), next };
  },

  areTagsPublic: ({ file, tags, now }: { file: string; tags: string[]; now: number }): boolean =>
    areTagsPublic(storeIn(file), tags, now),
};
export type Reads = typeof reads;

export type MapKind = "blogs" | "people";
interface MapPartQuery {
  file: string;
  kind: MapKind;
  part: number;
  size: number;
  origin: string;
  now: number;
}
interface MapPartsQuery {
  file: string;
  parts: number[];
  size: number;
  origin: string;
  now: number;
}

lowerPriority("thread");

export default function answer({ name, input }: { name: keyof Reads; input: never }): TaskResult {
  try {
    return { value: reads[name](input) };
  } catch (error) {
    if (isBusy(error)) return { refused: tooBusy().message };
    throw error;
  }
}
