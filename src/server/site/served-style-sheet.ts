import type { Services } from "../context.ts";
import { storedSettings } from "./queries.ts";
import { newestText } from "./text-queries.ts";

/** Returns the site's custom style sheet if its hash is current. */
export async function siteSheet(
  { database: { read } }: Pick<Services, "database">,
  hash: string,
): Promise<string | null> {
  if ((await storedSettings(read)).sheet !== hash) return null;
  return (await newestText(read, "sheet"))?.rendered ?? null;
}
