import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { SubscriptionLevel, SetSubscription, BlogSubscription } from "../../shared/notifications.ts";
import { readableBlog } from "../blogs/access.ts";
import type { MemberContext } from "../context.ts";
import { userTopic } from "../live/stored-events.ts";
import { publishWithdrawn } from "./events.ts";
import { countSubscriptions, listSubscriptions, storeSubscription, wayOf } from "./subscription-queries.ts";

/** How many subscriptions and mutes of blogs a person can have. */
export const most = 1_000;
const listed = 50;

/** Returns the viewer's subscription to a blog they can read; null for the default. */
export async function blogSubscription(
  ctx: MemberContext,
  { blogId }: { blogId: string },
): Promise<{ way: SubscriptionLevel | null }> {
  const { read } = ctx.database;
  const blog = await readableBlog(read, ctx.viewer, { id: blogId });
  return { way: await wayOf(read, ctx.viewer.id, blog.id) };
}

/**
 * Subscribes the viewer to the comments of a blog, mutes it, or resets it to the default. Each notification checks again whether
 * they can read it.
 */
export async function setSubscription(
  ctx: MemberContext,
  { blogId, way }: z.output<typeof SetSubscription>,
): Promise<{ way: SubscriptionLevel | null }> {
  const { id } = ctx.viewer;
  return ctx.database.write(async (tx) => {
    const blog = await readableBlog(tx, ctx.viewer, { id: blogId });
    if (way === "follow" && blog.authorId === id)
      throw new AppError("bad_request", "You’re already notified of comments on your own blogs.");
    const before = await wayOf(tx, id, blogId);
    if (way === before) return { way };
    if (before === null && (await countSubscriptions(tx, id)) >= most)
      throw new AppError(
        "bad_request",
        `You can subscribe to or mute up to ${most.toLocaleString("en")} blogs. Remove one first.`,
      );
    await storeSubscription(tx, id, blogId, way);
    await tx.emit(userTopic(id), { kind: "viewer.subscription", blogId, way });
    // Notifications about a muted blog leave the list, and return to it.
    if ([way, before].includes("mute")) await publishWithdrawn(tx, [id]);
    return { way };
  });
}

/** Returns the blogs that the viewer has subscribed to or muted and can read, the newest first. */
export const blogSubscriptions = async (ctx: MemberContext): Promise<{ blogs: BlogSubscription[] }> => ({
  blogs: await listSubscriptions(ctx.database.read, ctx.viewer.id, listed),
});
