import type { BlogCard, Schedule } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { problemOfTime, scheduledWords } from "../../shared/schedule.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, takeBack } from "../jobs/jobs.ts";
import { deleteSchedule, putSchedule, schedulesOf, type ScheduleRow } from "./schedule-queries.ts";

/** What publishes a draft when its time has come (`publish-later.ts`). */
export const publishJob = "publish";

/** What that is told. Where the blog is to be published at another time by then, or no more, it does nothing. */
export interface Due {
  blogId: string;
  publishAt: number;
}

/** When a draft is to be published by itself, as its author is told. */
export const presentSchedule = (row: Pick<ScheduleRow, "publishAt" | "zone"> | undefined): Schedule | null =>
  row ? { at: new Date(row.publishAt).toISOString(), zone: row.zone } : null;

/** Whether a save says of it what stands already. */
export const isSameSchedule = (
  given: Schedule | null | undefined,
  stands: ScheduleRow | undefined,
): boolean =>
  given === undefined ||
  (given === null ? !stands : Date.parse(given.at) === stands?.publishAt && given.zone === stands.zone);

/**
 * Has a draft published at a time to come, at another one than `stands`, or, by null, no more; what was left out stays. A
 * blog that is no draft has no such time. Throws `bad_request` for one that can't be. Answers with what stands then.
 */
export async function keepSchedule(
  tx: Transaction,
  blog: { id: string; draft: boolean; takedownReason: string | null },
  stands: ScheduleRow | undefined,
  given: Schedule | null | undefined,
): Promise<Schedule | null> {
  if (blog.draft && isSameSchedule(given, stands)) return presentSchedule(stands);
  if (given) requireTime(blog, Date.parse(given.at));
  if (stands) await takeBack(tx, stands.jobId);
  if (!given) {
    if (stands) await deleteSchedule(tx, blog.id);
    return null;
  }
  const due: Due = { blogId: blog.id, publishAt: Date.parse(given.at) };
  const jobId = await enqueue(tx, publishJob, due, due.publishAt);
  await putSchedule(tx, { ...due, zone: given.zone, jobId, createdAt: Date.now() });
  return given;
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
  const problem = problemOfTime(publishAt, Date.now());
  if (problem) throw new AppError("bad_request", problem, field);
}

/** Cards of somebody's own, with what is to become of their drafts. */
export async function withSchedules<Card extends BlogCard>(
  connection: Connection,
  cards: Card[],
): Promise<Card[]> {
  const drafts = cards.flatMap(({ id, draft }) => (draft ? [id] : []));
  const rows = await schedulesOf(connection, drafts);
  const byBlog = new Map(rows.map((row) => [row.blogId, presentSchedule(row)]));
  return cards.map((card) => {
    const schedule = byBlog.get(card.id);
    return schedule ? { ...card, scheduled: scheduledWords(schedule) } : card;
  });
}
