/**
 * Entries of live blogs are in the index of blogs, under their numbers less this one: far below those of blogs, so that searches, which
 * read the index from its end, come to them last. The triggers have the same number.
 */
export const entryOffset = 2 ** 40;

/** An FTS5 query that finds nothing. */
export const matchNothing = '""';
/** Quotes a text, so that it contains no operator. */
export const quoted = (text: string): string => `"${text.replaceAll('"', "")}"`;

/** Returns an FTS5 query for any of these phrases (adjacent words) in these columns. */
export const anyPhrase = (columns: ("title" | "description" | "tags")[], phrases: string[]): string =>
  phrases.length === 0
    ? matchNothing
    : `{${columns.join(" ")}} : (${[...new Set(phrases)].map(quoted).join(" OR ")})`;
