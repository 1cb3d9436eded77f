import type { BlogCard, Schedule } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { scheduleProblem, scheduledLabel } from "../../shared/schedule.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, cancelJob } from "../jobs/jobs.ts";
import { deleteSchedule, putSchedule, schedulesOf, type ScheduleRow } from "./schedule-queries.ts";

/** The job that publishes a scheduled draft (`publish-scheduled.ts`). */
export const publishJob = "publish";

/** Its payload. A no-op if the blog was rescheduled or unscheduled since. */
export interface PublishPayload {
  blogId: string;
  publishAt: number;
}

export const presentSchedule = (row: Pick<ScheduleRow, "publishAt" | "zone"> | undefined): Schedule | null =>
  row ? { at: new Date(row.publishAt).toISOString(), zone: row.zone } : null;

export const isSameSchedule = (
  requested: Schedule | null | undefined,
  current: ScheduleRow | undefined,
): boolean =>
  requested === undefined ||
  (requested === null
    ? !current
    : Date.parse(requested.at) === current?.publishAt && requested.zone === current.zone);

/**
 * Sets, moves or (null) removes a draft's schedule; undefined keeps it, publishing removes it. Throws `bad_request` for an
 * impossible time. Returns the resulting schedule.
 */
export async function updateSchedule(
  tx: Transaction,
  blog: { id: string; draft: boolean; takedownReason: string | null },
  current: ScheduleRow | undefined,
  requested: Schedule | null | undefined,
): Promise<Schedule | null> {
  if (blog.draft && isSameSchedule(requested, current)) return presentSchedule(current);
  if (requested) requireTime(blog, Date.parse(requested.at));
  if (current) await cancelJob(tx, current.jobId);
  if (!requested) {
    if (current) await deleteSchedule(tx, blog.id);
    return null;
  }
  const due: PublishPayload = { blogId: blog.id, publishAt: Date.parse(requested.at) };
  const jobId = await enqueue(tx, publishJob, due, due.publishAt);
  await putSchedule(tx, { ...due, zone: requested.zone, jobId, createdAt: Date.now() });
  return requested;
}

function requireTime(blog: { draft: boolean; takedownReason: string | null }, publishAt: number): void {
  const field = { field: "schedule" };
  if (!blog.draft) throw new AppError("bad_request", "Only a draft can be scheduled.", field);
  if (blog.takedownReason !== null)
    throw new AppError(
      "forbidden",
      "Moderators took this blog down. You can save it as a draft, and publish it once they restore it.",
      field,
    );
  const problem = scheduleProblem(publishAt, Date.now());
  if (problem) throw new AppError("bad_request", problem, field);
}

/** Adds the schedules of drafts to an author's cards. */
export async function withSchedules<Card extends BlogCard>(
  connection: Connection,
  cards: Card[],
): Promise<Card[]> {
  const drafts = cards.flatMap(({ id, draft }) => (draft ? [id] : []));
  const rows = await schedulesOf(connection, drafts);
  const byBlog = new Map(rows.map((row) => [row.blogId, presentSchedule(row)]));
  return cards.map((card) => {
    const schedule = byBlog.get(card.id);
    return schedule ? { ...card, scheduled: scheduledLabel(schedule) } : card;
  });
}
