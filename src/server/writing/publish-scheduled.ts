import { AppError } from "../../shared/errors.ts";
import type { UnscheduledReason } from "../../shared/notifications.ts";
import { actingAs } from "../accounts/acting-as.ts";
import { untitled } from "../database/blog-title.ts";
import { ChangedMeanwhile } from "./publish.ts";
import { publishDraft } from "./publish-draft.ts";
import { blogFactsById, updateBlog, type BlogFacts } from "../blogs/queries.ts";
import { type PublishPayload } from "./schedule.ts";
import { scheduleOf, deleteScheduleAt } from "./schedule-queries.ts";
import { publishVisibility } from "../blogs/events.ts";
import type { Services } from "../context.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { blogTopic } from "../live/stored-events.ts";
import { notifyForSite } from "../notifications/service.ts";
import { NewAccountLimitError } from "../profiles/new-account-limits.ts";
import { userById } from "../profiles/queries.ts";

/** The schedule was changed or removed, or the draft published. */
class ScheduleChanged extends Error {}
class Suspended extends AppError {}

/**
 * Publishes a scheduled draft as its author last typed it. The schedule is deleted in the same transaction, so that concurrent or
 * repeated runs publish once. If not permitted, it stays a draft and the author is notified why.
 */
export const publishScheduled: JobHandler<PublishPayload> = {
  async run(services, due) {
    const { read } = services.database;
    const blog = await blogFactsById(read, due.blogId, null);
    if (!blog || (await scheduleOf(read, due.blogId))?.publishAt !== due.publishAt) return;
    try {
      await publishDraft(
        actingAs(services, blog.authorId),
        { id: due.blogId },
        {
          first: async (tx) => {
            if (!(await deleteScheduleAt(tx, due.blogId, due.publishAt))) throw new ScheduleChanged();
            const author = await userById(tx, blog.authorId);
            if (author?.suspendedAt !== null) throw new Suspended("forbidden", "The account is suspended.");
          },
        },
      );
    } catch (error) {
      if (error instanceof ScheduleChanged) return;
      if (!(error instanceof AppError) || error.code === "unavailable" || error instanceof ChangedMeanwhile)
        throw error;
      await cancelSchedule(services, due, error);
    }
  },
  onGivenUp: (services, due) => cancelSchedule(services, due),
};

async function cancelSchedule(services: Services, due: PublishPayload, refusal?: AppError): Promise<void> {
  await services.database.write(async (tx) => {
    if (!(await deleteScheduleAt(tx, due.blogId, due.publishAt))) return;
    const blog = await blogFactsById(tx, due.blogId, null);
    if (!blog) return;
    // A new version, so that open forms refresh.
    await updateBlog(tx, blog.id, {});
    tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
    await publishVisibility(tx, blog.authorId, blog.id, blog, blog);
    await notifyForSite(tx, {
      userId: blog.authorId,
      kind: "unscheduled",
      blogId: blog.id,
      target: `${blog.id} ${reasonOf(blog, refusal)}`,
    });
  });
}

function reasonOf(blog: BlogFacts, refusal: AppError | undefined): UnscheduledReason {
  if (refusal instanceof Suspended) return "suspended";
  if (refusal instanceof NewAccountLimitError) return "links";
  if (blog.takedownReason !== null) return "hidden";
  if (refusal?.code === "forbidden") return "writers";
  if (refusal?.field === "title" && blog.title === untitled) return "title";
  if (refusal?.field === "document") return "text";
  return refusal?.code === "bad_request" || refusal?.field === "slug" ? "fields" : "failed";
}
