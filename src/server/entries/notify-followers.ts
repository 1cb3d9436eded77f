import { isOnAir } from "../blogs/policy.ts";
import { blogFactsById } from "../blogs/queries.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import { followersAfter } from "../follows/queries.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { notify } from "../notifications/service.ts";
import { hasNotificationAbout } from "../notifications/queries.ts";

/** The job that notifies the followers of an author that a live blog has begun. */
export const notifyFollowersJob = "notify-followers";

const batchSize = 25;

/** Idempotent: a follower gets one notification for each live blog, also if it is reopened. Stops when the live blog has ended. */
export const notifyFollowers: JobHandler<{ blogId: string }> = {
  timeLimit: 10 * 60_000,
  run: async (services, { blogId }, { signal }) => {
    let after = "";
    await runInSteps(
      services.database,
      async (tx) => {
        const blog = await blogFactsById(tx, blogId, null);
        if (!blog || !isOnAir(blog)) return true;
        const { authorId } = blog;
        const batch = await followersAfter(tx, authorId, after, batchSize);
        const notification = { kind: "live", actorId: authorId, target: blogId } as const;
        for (const userId of batch)
          if (!(await hasNotificationAbout(tx, { ...notification, userId })))
            await notify(tx, { ...notification, userId, blogId });
        after = batch.at(-1) ?? "";
        return batch.length < batchSize;
      },
      signal,
    );
  },
};
