import type { Services } from "../context.ts";
import { storedSettings } from "./site-queries.ts";
import { newestText } from "./site-text-queries.ts";

/** Returns the site's custom style sheet if its hash is current. */
export async function siteSheet(
  { database: { read } }: Pick<Services, "database">,
  hash: string,
): Promise<string | null> {
  if ((await storedSettings(read)).sheet !== hash) return null;
  return (await newestText(read, "sheet"))?.rendered ?? null;
}
