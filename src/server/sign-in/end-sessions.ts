import { deleteSessionsOf } from "../auth/queries.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { renewFeedAddress } from "../profiles/queries.ts";
import { revokeMailLinks } from "./mail-links.ts";
import { forgetBrowsers } from "./known-browser-queries.ts";

/**
 * Ends an account's sessions except those with these handles, and whatever a thief at one of them can have opened to come back:
 * the secret feed address, emailed links except those that undo, and known browsers. Push subscriptions end with their session.
 * Returns how many sessions ended.
 */
export async function endSessions(
  tx: Transaction,
  userId: string,
  { keptHandles = [], keptBrowser = "" }: { keptHandles?: string[]; keptBrowser?: string } = {},
): Promise<number> {
  await renewFeedAddress(tx, userId);
  await revokeMailLinks(tx, userId);
  await forgetBrowsers(tx, userId, keptBrowser);
  tx.emit(userTopic(userId), { kind: "viewer.signInChanged" });
  return deleteSessionsOf(tx, userId, keptHandles);
}
