import { blogFactsById } from "../blogs/queries.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { notify } from "../notices/service.ts";
import { followersOfTalk, isToldOf } from "../notices/watch-queries.ts";
import { commentById } from "./queries.ts";

export const talkJob = "talk";

/** How many are told in one transaction. */
const atOnce = 25;

/** Has whoever follows the talk below a blog told of a comment there, which may be many. */
export async function tellTalk(tx: Transaction, comment: { id: string; blogId: string }): Promise<void> {
  const [anybody] = await followersOfTalk(tx, comment.blogId, "", 1);
  if (anybody) await enqueue(tx, talkJob, { commentId: comment.id });
}

/** Each is told once, however often this is begun anew: who has heard of the comment, or of a later one, is passed over. */
export const goOnTelling: JobHandler<{ commentId: string }> = {
  timeLimit: 10 * 60_000,
  run: async (parts, { commentId }, { signal }) => {
    let after = "";
    await inSteps(
      parts.database,
      async (tx) => {
        const comment = await commentById(tx, commentId, null);
        if (!comment?.author || comment.deletedAt !== null) return true;
        const { blogId, author } = comment;
        const blog = await blogFactsById(tx, blogId, null);
        const some = await followersOfTalk(tx, blogId, after, atOnce);
        for (const userId of some) {
          if (userId === blog?.authorId) continue;
          if (await isToldOf(tx, userId, { id: commentId, blogId, authorId: author.id })) continue;
          await notify(tx, { userId, kind: "talk", actorId: author.id, target: blogId, blogId, commentId });
        }
        after = some.at(-1) ?? "";
        return some.length < atOnce;
      },
      signal,
    );
  },
};
