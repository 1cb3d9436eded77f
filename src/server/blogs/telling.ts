import type { Transaction } from "../database/writer.ts";
import { feedTopic, profileTopic, rightsTopic, userTopic } from "../live/facts.ts";
import type { Audience } from "./policy.ts";
import { cardById } from "./card-queries.ts";

const width: Record<Audience, number> = { nobody: 0, followers: 1, everybody: 2 };

/**
 * Tells the feed what came and went (followers alone, where it is for them: blogs/live.ts), the author's other tabs that
 * their blogs changed, and open streams to ask for their right.
 */
export async function tellOfVisibility(
  tx: Transaction,
  authorId: string,
  blogId: string,
  was: Audience,
  is: Audience,
): Promise<void> {
  if (width[is] > width[was]) {
    const row = await cardById(tx, blogId, authorId);
    await tx.fact(feedTopic, {
      kind: "blog.published",
      blogId,
      authorId,
      publishedAt: new Date(row?.publishedAt ?? Date.now()).toISOString(),
      followers: is === "followers",
    });
  }
  if (width[is] < width[was])
    await tx.fact(feedTopic, { kind: "blog.gone", blogId, authorId, followers: was === "followers" });
  await tx.fact(userTopic(authorId), { kind: "own.blogs", blogId });
  tx.ring(rightsTopic(blogId));
  tx.ring(profileTopic(authorId));
}

/** Tells people that their notices changed: those about a blog come and go with their right to it. */
export async function tellNoticed(tx: Transaction, userIds: string[]): Promise<void> {
  for (const userId of userIds) await tx.fact(userTopic(userId), { kind: "notification.withdrawn" });
}
