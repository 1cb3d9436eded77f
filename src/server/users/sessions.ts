import { AppError } from "../../shared/errors.ts";
import type { OpenSession } from "../../shared/users.ts";
import type { MemberContext } from "../context.ts";
import { forgetOtherBrowsers } from "./browsers.ts";

/** The viewer's sessions, the one last seen first. */
export async function openSessions(ctx: MemberContext): Promise<{ sessions: OpenSession[] }> {
  const sessions = await ctx.sessions.list(ctx.viewer.id);
  return {
    sessions: sessions.map(({ handle, userAgent, createdAt, seenAt }) => ({
      handle,
      device: userAgent,
      startedAt: new Date(createdAt).toISOString(),
      seenAt: new Date(seenAt).toISOString(),
      current: handle === ctx.session?.handle,
    })),
  };
}

/** Ends one of the viewer's sessions; what it had open closes at once. */
export async function revokeSession(
  ctx: MemberContext,
  { handle }: { handle: string },
): Promise<{ message: string }> {
  if (!(await ctx.sessions.endByHandle(ctx.viewer.id, handle)))
    throw new AppError("not_found", "That session has ended already.");
  return { message: "That session is ended." };
}

/** Ends every session of the viewer but this one, and forgets every other browser. */
export async function revokeOtherSessions(ctx: MemberContext): Promise<{ message: string }> {
  await ctx.sessions.endOthers(ctx.viewer.id, ctx.session?.hash ?? "");
  await ctx.database.write((tx) => forgetOtherBrowsers(tx, ctx));
  return { message: "Every other session is ended." };
}
