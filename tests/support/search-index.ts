import { isPostgres } from "../../src/server/database/schema/store.ts";

/* The search index of the store that tests run on. */

const [number, tables] = isPostgres
  ? (["number", { blogs: "blog_index", people: "people_index" }] as const)
  : (["rowid", { blogs: "blog_words", people: "people_words" }] as const);
type Kind = keyof typeof tables;

/** Returns a query of the indexed numbers; those of entries are below 0. */
export const indexedNumbers = (kind: Kind, condition = "true"): string =>
  `select ${number} as seq from ${tables[kind]} where ${condition.replaceAll("number", number)} order by 1`;

/** Returns a query of the numbers with a word. */
export const indexedWith = (kind: Kind, word: string, condition = "true"): string =>
  indexedNumbers(
    kind,
    `${isPostgres ? `words @@ '${word}'::tsquery` : `${tables[kind]} match '${word}'`} and ${condition}`,
  );

/** Returns a statement that takes these out of the index. */
export const removeFromIndex = (kind: Kind, condition = "true"): string =>
  `delete from ${tables[kind]} where ${condition.replaceAll("number", number)}`;
