import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { SubscriptionLevel, SetSubscription, BlogSubscription } from "../../shared/notifications.ts";
import { readableBlog } from "../blogs/access.ts";
import type { MemberContext } from "../context.ts";
import { userTopic } from "../live/facts.ts";
import { publishWithdrawn } from "./events.ts";
import { countSubscriptions, listSubscriptions, storeSubscription, wayOf } from "./subscription-queries.ts";

/** Of one person, and of these so many are listed. */
export const most = 1_000;
const listed = 50;

/** How the viewer wants to hear of a blog that they may read; null where they have not said. */
export async function blogSubscription(
  ctx: MemberContext,
  { blogId }: { blogId: string },
): Promise<{ way: SubscriptionLevel | null }> {
  const { read } = ctx.database;
  const blog = await readableBlog(read, ctx.viewer, { id: blogId });
  return { way: await wayOf(read, ctx.viewer.id, blog.id) };
}

/**
 * Tells the viewer of each comment below a blog from now on, or of nothing there, or as usual. That it can be read is asked again at
 * each notification: whoever may no longer read it hears nothing, and who may again hears.
 */
export async function setSubscription(
  ctx: MemberContext,
  { blogId, way }: z.output<typeof SetSubscription>,
): Promise<{ way: SubscriptionLevel | null }> {
  const { id } = ctx.viewer;
  return ctx.database.write(async (tx) => {
    const blog = await readableBlog(tx, ctx.viewer, { id: blogId });
    if (way === "follow" && blog.authorId === id)
      throw new AppError("bad_request", "You are told of comments on your own blogs as it is.");
    const before = await wayOf(tx, id, blogId);
    if (way === before) return { way };
    if (before === null && (await countSubscriptions(tx, id)) >= most)
      throw new AppError(
        "bad_request",
        `You follow or mute ${most.toLocaleString("en")} blogs, which is as many as there may be. Let go of one first.`,
      );
    await storeSubscription(tx, id, blogId, way);
    await tx.fact(userTopic(id), { kind: "own.watched", blogId, way });
    // What there is about a muted blog leaves the list, and comes back to it.
    if ([way, before].includes("mute")) await publishWithdrawn(tx, [id]);
    return { way };
  });
}

/** Blogs whose talk the viewer follows, or which they have muted, the newest first: those that they may read. */
export const blogSubscriptions = async (ctx: MemberContext): Promise<{ blogs: BlogSubscription[] }> => ({
  blogs: await listSubscriptions(ctx.database.read, ctx.viewer.id, listed),
});
