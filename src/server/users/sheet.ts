import type { Parts } from "../context.ts";
import { storedSite } from "./site-queries.ts";
import { newestText } from "./text-queries.ts";

/** The style sheet of the site's own that has this name, where it is the one that counts. */
export async function siteSheet(
  { database: { read } }: Pick<Parts, "database">,
  hash: string,
): Promise<string | null> {
  if ((await storedSite(read)).sheet !== hash) return null;
  return (await newestText(read, "sheet"))?.drawn ?? null;
}
