import { matchText } from "../postgres/match.ts";
import { isPostgres } from "../schema/store.ts";

/**
 * Entries of live blogs are in the index of blogs, under their numbers less this one: far below those of blogs, so that searches, which
 * read the index from its end, come to them last. The triggers have the same number.
 */
export const entryOffset = 2 ** 40;

/** Quotes a text for FTS5, so that it contains no operator. */
export const quoted = (text: string): string => `"${text.replaceAll('"', "")}"`;

/** Returns what `newestMatching` takes: any of these phrases (adjacent words) in these fields of blogs. */
export function anyPhrase(fields: ("title" | "description" | "tags")[], phrases: string[]): string {
  const different = [...new Set(phrases)];
  if (isPostgres) return matchText("words", { any: different.map((text) => ({ text })) }, fields) ?? "";
  return different.length === 0
    ? quoted("")
    : `{${fields.join(" ")}} : (${different.map(quoted).join(" OR ")})`;
}
