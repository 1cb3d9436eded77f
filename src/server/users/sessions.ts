import { AppError } from "../../shared/errors.ts";
import type { OpenSession } from "../../shared/users.ts";
import { deleteSessionsOf, isSession } from "../auth/queries.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { setGoneOf, subscriptionsOf } from "../push/queries.ts";
import { forgetOtherBrowsers } from "./browsers.ts";

/** The viewer's sessions, the one last seen first. */
export async function openSessions(ctx: MemberContext): Promise<{ sessions: OpenSession[] }> {
  const sessions = await ctx.sessions.list(ctx.viewer.id);
  const pushed = new Set(
    (await subscriptionsOf(ctx.database.read, ctx.viewer.id)).map(({ session }) => session),
  );
  return {
    sessions: sessions.map(({ handle, userAgent, createdAt, seenAt }) => ({
      handle,
      device: userAgent,
      startedAt: new Date(createdAt).toISOString(),
      seenAt: new Date(seenAt).toISOString(),
      current: handle === ctx.session?.handle,
      push: pushed.has(handle),
    })),
  };
}

/** Ends one of the viewer's sessions; what it had open closes at once. */
export async function revokeSession(
  ctx: MemberContext,
  { handle }: { handle: string },
): Promise<{ message: string }> {
  if (!(await ctx.sessions.endByHandle(ctx.viewer.id, handle)))
    throw new AppError("not_found", "That session has already ended.");
  return { message: "Session ended." };
}

/** Ends every session of the viewer but this one, which goes on with another secret, and forgets every other browser. */
export async function revokeOtherSessions(ctx: MemberContext): Promise<{ message: string }> {
  const tell = await ctx.database.write(async (tx) => {
    await forgetOtherBrowsers(tx, ctx);
    return endOtherSessions(tx, ctx, ctx.viewer.id);
  });
  tell();
  return { message: "You’ve been signed out everywhere else." };
}

/** Throws `unauthorized` where a session has been ended, or goes on with another secret, since its call began. */
export async function requireSession(
  tx: Transaction,
  session: Context["session"] | undefined,
): Promise<void> {
  if (session && !(await isSession(tx, session.hash))) throw signedOut();
}

const signedOut = () => new AppError("unauthorized", "You’ve been signed out. Please sign in first.");

/**
 * Ends the sessions of an account but the one that asks, which goes on with another secret, and `alsoKept`: whoever had got hold
 * of a session has it no more, nor what is pushed to it. What it answers with is to be called after the commit. Throws
 * `unauthorized` where the session that asks has been ended meanwhile.
 */
export async function endOtherSessions(
  tx: Transaction,
  ctx: Context,
  userId: string,
  alsoKept: string | null = null,
): Promise<() => void> {
  const own = ctx.viewer?.id === userId ? ctx.session : null;
  const kept = [own?.handle, alsoKept].filter((handle) => typeof handle === "string");
  const ended = await deleteSessionsOf(tx, userId, kept);
  const cookie = own && (await ctx.sessions.renew(tx, own.hash));
  if (own && !cookie) throw signedOut();
  if (own) await setGoneOf(tx, own.handle, Date.now());
  await tx.emit(userTopic(userId), { kind: "viewer.signInChanged" });
  return () => {
    ctx.sessions.closed(own ? [...ended, own.hash] : ended);
    if (cookie) ctx.setCookie(cookie);
  };
}
