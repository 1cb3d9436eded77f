import { browserCookie, browserHash } from "../auth/browsers.ts";
import { limits } from "../../shared/limits.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { newSecret } from "../ids.ts";
import * as queries from "./browser-queries.ts";

/** The hash by which this browser is known to have signed in to an account before, or null. */
export async function knownBrowser(ctx: Context, userId: string | undefined): Promise<string | null> {
  if (!ctx.browser?.secret) return null;
  // Asked also where there is no account, so that the time tells nothing.
  const hash = browserHash(ctx.browser.secret, userId ?? "");
  return (await queries.isKnownBrowser(ctx.database.read, hash)) ? hash : null;
}

/**
 * Keeps this browser as one that has signed in to an account; answers with the cookie that it is known by from now on, or
 * null for a program, which keeps none.
 */
export async function keepBrowser(tx: Connection, ctx: Context, userId: string): Promise<string | null> {
  if (!ctx.browser) return null;
  const secret = ctx.browser.secret ?? newSecret();
  const hash = browserHash(secret, userId);
  await queries.keepBrowser(tx, { hash, userId, seenAt: Date.now() }, limits.browser.most);
  return browserCookie(secret, ctx.config.https);
}

/** Forgets every browser of the viewer but this one. */
export function forgetOtherBrowsers(tx: Connection, ctx: MemberContext): Promise<void> {
  const { id } = ctx.viewer;
  return queries.forgetBrowsers(tx, id, ctx.browser?.secret ? browserHash(ctx.browser.secret, id) : "");
}
