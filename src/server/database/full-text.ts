/** An FTS5 expression that finds nothing. */
export const nothing = '""';
/** A text in which nothing is an operator. */
export const quoted = (text: string): string => `"${text.replaceAll('"', "")}"`;

/** An FTS5 expression for any of these phrases (words side by side) in these columns of a blog. */
export const anyPhrase = (columns: ("title" | "description" | "tags")[], phrases: string[]): string =>
  phrases.length === 0
    ? nothing
    : `{${columns.join(" ")}} : (${[...new Set(phrases)].map(quoted).join(" OR ")})`;
