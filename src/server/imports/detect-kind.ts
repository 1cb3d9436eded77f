import type { ImportKind } from "../../shared/imports.ts";
import type { Files } from "./source.ts";

/** The file of a story of Medium, as `2020-01-02_Some-words-0123456789ab.html`. */
export const storyName = /(?:^|\/)(?:\d{4}-\d\d-\d\d|draft)_([^/]*?)-+[\da-f]{9,12}\.html?$/i;

/** Guesses the kind from file names, for a user who chose another; null when unclear. */
export async function detectKind(files: Files): Promise<ImportKind | null> {
  const names = (await files.list()).map(({ name }) => name.toLowerCase());
  const hasFile = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (hasFile(/(?:^|\/)export\.json$/) && hasFile(/(?:^|\/)blogs\.json$/)) return "reprise";
  if (hasFile(/(?:^|\/)posts\.csv$/)) return "substack";
  if (hasFile(/\.(?:md|mdx|markdown|mkdn?|mkdown)$/)) return "markdown";
  if (hasFile(/(?:^|\/)posts\/[^/]+\.html$/) || hasFile(storyName)) return "medium";
  if (hasFile(/\.xml$/)) return "wordpress";
  return hasFile(/\.json$/) ? "ghost" : null;
}
