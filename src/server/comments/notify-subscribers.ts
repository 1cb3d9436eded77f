import { blogFactsById } from "../blogs/queries.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { notify } from "../notifications/service.ts";
import { subscribersOf, hasNotificationOf } from "../notifications/subscription-queries.ts";
import { commentById } from "./queries.ts";

export const notifySubscribersJob = "notify-subscribers";

const batchSize = 25;

/** Queues notifications about a comment to the blog's subscribers. */
export async function notifySubscribers(
  tx: Transaction,
  comment: { id: string; blogId: string },
): Promise<void> {
  const [subscriber] = await subscribersOf(tx, comment.blogId, "", 1);
  if (subscriber) await enqueue(tx, notifySubscribersJob, { commentId: comment.id });
}

/** Idempotent: skips subscribers with a notification of this comment or a later one. */
export const resumeNotifySubscribers: JobHandler<{ commentId: string }> = {
  timeLimit: 10 * 60_000,
  run: async (services, { commentId }, { signal }) => {
    let after = "";
    await runInSteps(
      services.database,
      async (tx) => {
        const comment = await commentById(tx, commentId, null);
        if (!comment?.author || comment.deletedAt !== null) return true;
        const { blogId, author } = comment;
        const blog = await blogFactsById(tx, blogId, null);
        const batch = await subscribersOf(tx, blogId, after, batchSize);
        for (const userId of batch) {
          if (userId === blog?.authorId) continue;
          if (await hasNotificationOf(tx, userId, { id: commentId, blogId, authorId: author.id })) continue;
          await notify(tx, {
            userId,
            kind: "subscription",
            actorId: author.id,
            target: blogId,
            blogId,
            commentId,
          });
        }
        after = batch.at(-1) ?? "";
        return batch.length < batchSize;
      },
      signal,
    );
  },
};
