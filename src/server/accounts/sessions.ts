import { AppError } from "../../shared/errors.ts";
import type { OpenSession } from "../../shared/users.ts";
import { browserHash } from "../auth/cookies.ts";
import { sessionExists } from "../auth/queries.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { endSubscriptionOf, subscriptionsOf } from "../push/queries.ts";
import { endSessions } from "../sign-in/end-sessions.ts";

/** Returns the viewer's sessions, last seen first. */
export async function listSessions(ctx: MemberContext): Promise<{ sessions: OpenSession[] }> {
  const sessions = await ctx.sessions.list(ctx.viewer.id);
  const sessionsWithPush = new Set(
    (await subscriptionsOf(ctx.database.read, ctx.viewer.id)).map(({ session }) => session),
  );
  return {
    sessions: sessions.map(({ handle, userAgent, createdAt, seenAt }) => ({
      handle,
      device: userAgent,
      startedAt: new Date(createdAt).toISOString(),
      seenAt: new Date(seenAt).toISOString(),
      current: handle === ctx.session?.handle,
      push: sessionsWithPush.has(handle),
    })),
  };
}

/** Ends a session, whose open pages close at once. */
export async function revokeSession(
  ctx: MemberContext,
  { handle }: { handle: string },
): Promise<{ message: string }> {
  if (!(await ctx.sessions.endByHandle(ctx.viewer.id, handle)))
    throw new AppError("not_found", "That session has already ended.");
  return { message: "Session ended." };
}

/** Ends all other sessions. This session gets another secret. */
export async function revokeOtherSessions(ctx: MemberContext): Promise<{ message: string }> {
  const newCookie = await ctx.database.write((tx) => endOtherSessions(tx, ctx, ctx.viewer.id));
  if (newCookie) ctx.setCookie(newCookie);
  return { message: "You’ve been signed out everywhere else." };
}

/** Throws `unauthorized` if the session has ended or changed its secret. */
export async function requireSession(
  tx: Transaction,
  session: Context["session"] | undefined,
): Promise<void> {
  if (session && !(await sessionExists(tx, session.hash))) throw signedOutError();
}

const signedOutError = () => new AppError("unauthorized", "You’ve been signed out. Please sign in first.");

/**
 * Ends all sessions except `alsoKept` and the caller's, which gets another secret and loses its push subscription: a thief may
 * have had both. Returns the caller's new cookie, to set after the commit. Throws `unauthorized` if the caller's session has ended.
 */
export async function endOtherSessions(
  tx: Transaction,
  ctx: Context,
  userId: string,
  alsoKept: string | null = null,
): Promise<string | null | undefined> {
  const ownSession = ctx.viewer?.id === userId ? ctx.session : null;
  const keptHandles = [ownSession?.handle, alsoKept].filter((handle) => typeof handle === "string");
  const keptBrowser = ctx.browser?.secret ? browserHash(ctx.browser.secret, userId) : "";
  await endSessions(tx, userId, { keptHandles, keptBrowser });
  const cookie = ownSession && (await ctx.sessions.renew(tx, ownSession.hash));
  if (ownSession && !cookie) throw signedOutError();
  if (ownSession) await endSubscriptionOf(tx, ownSession.handle, Date.now());
  return cookie;
}
