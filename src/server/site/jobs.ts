import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { StaffList } from "../../shared/moderation.ts";
import type { JobId, StaffJobs } from "../../shared/administration.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { MemberContext } from "../context.ts";
import { retriableJobNames, routineJobNames, stateOf } from "../jobs/jobs.ts";
import { deleteFailed, jobById, listJobs, retry, type JobRow } from "../jobs/queries.ts";
import { jobsTopic } from "../live/signals.ts";
import { withoutAddresses } from "../mail/mail-problem.ts";
import { requireAdmin } from "../moderation/access.ts";
import { logSiteAction } from "../moderation/log.ts";

const { page: pageSize } = staffLimits.reports;

/** Returns queued, running and failed jobs without their payload, which can contain personal data. */
export async function staffJobs(
  { database: { read }, viewer, jobHandlers }: MemberContext,
  { page }: z.output<typeof StaffList>,
): Promise<StaffJobs> {
  await requireAdmin(read, viewer);
  const rows = isBeyondLastPage(page, pageSize)
    ? []
    : await listJobs(read, routineJobNames(jobHandlers), pageSize + 1, (page - 1) * pageSize);
  const [now, retriable] = [Date.now(), retriableJobNames(jobHandlers)];
  return {
    jobs: rows.slice(0, pageSize).map((job) => ({
      id: job.id,
      name: job.name,
      state: stateOf(job, jobHandlers, now),
      attempts: job.attempts,
      askedAt: asDate(job.createdAt),
      dueAt: asDate(job.dueAt),
      error: withoutAddresses(job.lastError ?? ""),
      canRetry: job.failedAt !== null && retriable.includes(job.name),
    })),
    page,
    hasMore: rows.length > pageSize,
  };
}

const asDate = (time: number): string => new Date(time).toISOString();

export async function retryJob(
  ctx: MemberContext,
  { id }: z.output<typeof JobId>,
): Promise<{ message: string }> {
  await onFailed(ctx, id, "retry", async (tx, job) => {
    if (!retriableJobNames(ctx.jobHandlers).includes(job.name))
      throw new AppError(
        "conflict",
        "The contents of this job weren’t kept. Please request it again on the site.",
      );
    await retry(tx, { id }, Date.now());
    tx.signal(jobsTopic);
  });
  return { message: "The job will run again." };
}

export async function discardJob(
  ctx: MemberContext,
  { id }: z.output<typeof JobId>,
): Promise<{ message: string }> {
  await onFailed(ctx, id, "discard", async (tx) => deleteFailed(tx, id));
  return { message: "Job deleted." };
}

type Write = Parameters<Parameters<MemberContext["database"]["write"]>[0]>[0];

async function onFailed(
  { database, viewer }: MemberContext,
  id: string,
  action: "retry" | "discard",
  change: (tx: Write, job: JobRow) => Promise<void>,
): Promise<void> {
  await database.write(async (tx) => {
    const actor = await requireAdmin(tx, viewer);
    const job = await jobById(tx, id);
    if (!job) throw new AppError("not_found", "This job no longer exists.");
    if (job.failedAt === null)
      throw new AppError("conflict", "This job hasn’t failed. It will be retried by itself.");
    await change(tx, job);
    await logSiteAction(tx, actor, action, job.name);
  });
}
