import type { ImportKind } from "../../shared/imports.ts";
import type { Files } from "./source.ts";

/** Guesses the kind from file names, for a user who chose another; null when unclear. */
export async function detectKind(files: Files): Promise<ImportKind | null> {
  const names = (await files.list()).map(({ name }) => name.toLowerCase());
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/(?:^|\/)export\.json$/) && has(/(?:^|\/)blogs\.json$/)) return "reprise";
  if (has(/(?:^|\/)posts\.csv$/)) return "substack";
  if (has(/\.(?:md|mdx|markdown|mkdn?|mkdown)$/)) return "markdown";
  if (has(/(?:^|\/)posts\/[^/]+\.html$/)) return "medium";
  if (has(/\.xml$/)) return "wordpress";
  return has(/\.json$/) ? "ghost" : null;
}
