import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import { forgetOldBrowsers } from "./browser-queries.ts";
import { deleteExpiredTokens } from "./queries.ts";
import { releaseUsernames } from "./username-queries.ts";

/** Lets go of what accounts are over with: links and held usernames whose time has passed, browsers that stayed away. */
export async function tidyAccounts(tx: Connection, now: number): Promise<void> {
  await deleteExpiredTokens(tx, now);
  await releaseUsernames(tx, now);
  await forgetOldBrowsers(tx, now - limits.browser.keptFor);
}
