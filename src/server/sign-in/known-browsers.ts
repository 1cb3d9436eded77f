import { browserCookie, browserHash } from "../auth/cookies.ts";
import { limits } from "../../shared/limits.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { newSecret } from "../runtime/ids.ts";
import * as queries from "./known-browser-queries.ts";

/** Returns the hash of a browser that has signed in to the account before, or null. */
export async function knownBrowser(ctx: Context, userId: string | undefined): Promise<string | null> {
  if (!ctx.browser?.secret) return null;
  // Also without an account, so that the time reveals nothing.
  const hash = browserHash(ctx.browser.secret, userId ?? "");
  return (await queries.isKnownBrowser(ctx.database.read, hash)) ? hash : null;
}

/** Remembers this browser for the account. Returns its cookie, or null for a program. */
export async function rememberBrowser(tx: Connection, ctx: Context, userId: string): Promise<string | null> {
  if (!ctx.browser) return null;
  const secret = ctx.browser.secret ?? newSecret();
  const hash = browserHash(secret, userId);
  await queries.storeBrowser(tx, { hash, userId, seenAt: Date.now() }, limits.browser.most);
  return browserCookie(secret, ctx.config.https);
}
