import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type {
  SubscriptionLevel,
  SetSubscription,
  BlogSubscription,
} from "../../shared/notification-inputs.ts";
import { readableBlog } from "../blogs/access.ts";
import type { MemberContext } from "../context.ts";
import { userTopic } from "../live/stored-events.ts";
import { publishWithdrawn } from "./events.ts";
import {
  countSubscriptions,
  listSubscriptions,
  storeSubscription,
  subscriptionOf,
} from "./subscription-queries.ts";

/** The most subscriptions and mutes per person. */
export const maxSubscriptions = 1_000;
const maxListed = 50;

/** Returns the viewer's subscription; null for the default. */
export async function blogSubscription(
  ctx: MemberContext,
  { blogId }: { blogId: string },
): Promise<{ level: SubscriptionLevel | null }> {
  const { read } = ctx.database;
  const blog = await readableBlog(read, ctx.viewer, { id: blogId });
  return { level: await subscriptionOf(read, ctx.viewer.id, blog.id) };
}

/** Subscribes to a blog's comments, mutes it, or resets it. Access is checked for each notification. */
export async function setSubscription(
  ctx: MemberContext,
  { blogId, level }: z.output<typeof SetSubscription>,
): Promise<{ level: SubscriptionLevel | null }> {
  const { id } = ctx.viewer;
  return ctx.database.write(async (tx) => {
    const blog = await readableBlog(tx, ctx.viewer, { id: blogId });
    if (level === "follow" && blog.authorId === id)
      throw new AppError("bad_request", "You’re already notified of comments on your own blogs.");
    const before = await subscriptionOf(tx, id, blogId);
    if (level === before) return { level };
    if (before === null && (await countSubscriptions(tx, id)) >= maxSubscriptions)
      throw new AppError(
        "bad_request",
        `You can subscribe to or mute up to ${maxSubscriptions.toLocaleString("en")} blogs. Remove one first.`,
      );
    await storeSubscription(tx, id, blogId, level);
    tx.emit(userTopic(id), { kind: "viewer.subscription", blogId, level });
    // A mute hides the blog's notifications from the list.
    if ([level, before].includes("mute")) publishWithdrawn(tx, [id]);
    return { level };
  });
}

export const blogSubscriptions = async (ctx: MemberContext): Promise<{ blogs: BlogSubscription[] }> => ({
  blogs: await listSubscriptions(ctx.database.read, ctx.viewer.id, maxListed),
});
