import { AppError } from "../shared/errors.ts";
import type { UnscheduledReason } from "../shared/notifications.ts";
import { actingAs } from "./acting.ts";
import { blogFactsById, updateBlog as setBlog } from "./blogs/queries.ts";
import { updateBlog } from "./blogs/service.ts";
import { type Due } from "./blogs/schedule.ts";
import { scheduleOf, takeSchedule } from "./blogs/schedule-queries.ts";
import { publishVisibility } from "./blogs/events.ts";
import type { Parts } from "./context.ts";
import type { JobHandler } from "./jobs/jobs.ts";
import { blogTopic } from "./live/stored-events.ts";
import { notifyForSite } from "./notifications/service.ts";
import { NewAccountLimitError } from "./users/new-account-limits.ts";
import { userById } from "./users/queries.ts";

/** The time was moved or taken back, or somebody else has published it. */
class NotNow extends Error {}
class Suspended extends AppError {}

/**
 * Publishes a draft as its author would by pressing Publish at this moment. What says so goes in the same transaction: of two
 * that do it at once, or one that is killed and does it again, one finds it. Where it may not be, it stays a draft, and its
 * author is told why.
 */
export const publishScheduled: JobHandler<Due> = {
  async run(parts, due) {
    const { read } = parts.database;
    const blog = await blogFactsById(read, due.blogId, null);
    if (!blog || (await scheduleOf(read, due.blogId))?.publishAt !== due.publishAt) return;
    try {
      await updateBlog(actingAs(parts, blog.authorId), { id: due.blogId, draft: false }, undefined, {
        also: async (tx) => {
          if (!(await takeSchedule(tx, due.blogId, due.publishAt))) throw new NotNow();
          const author = await userById(tx, blog.authorId);
          if (author?.suspendedAt !== null) throw new Suspended("forbidden", "The account is suspended.");
        },
      });
    } catch (error) {
      if (error instanceof NotNow) return;
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      await leaveDraft(parts, due, error);
    }
  },
  givenUp: (parts, due) => leaveDraft(parts, due),
};

/** Leaves it a draft, and says so. */
async function leaveDraft(parts: Parts, due: Due, refusal?: AppError): Promise<void> {
  await parts.database.write(async (tx) => {
    if (!(await takeSchedule(tx, due.blogId, due.publishAt))) return;
    const blog = await blogFactsById(tx, due.blogId, null);
    if (!blog) return;
    // Another version: forms that are open learn of it.
    await setBlog(tx, blog.id, {});
    await tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
    await publishVisibility(tx, blog.authorId, blog.id, blog, blog);
    const why: UnscheduledReason =
      refusal instanceof Suspended
        ? "suspended"
        : refusal instanceof NewAccountLimitError
          ? "links"
          : blog.takedownReason !== null
            ? "hidden"
            : refusal?.code === "forbidden"
              ? "writers"
              : "failed";
    await notifyForSite(tx, {
      userId: blog.authorId,
      kind: "unscheduled",
      blogId: blog.id,
      target: `${blog.id} ${why}`,
    });
  });
}
