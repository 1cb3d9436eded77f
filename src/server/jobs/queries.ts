import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notInArray,
  or,
  sql,
} from "drizzle-orm";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
import { jsonField } from "../database/dialect.ts";
import { jobs } from "../database/schema/jobs.ts";

export type JobRow = typeof jobs.$inferSelect;

const notFailed = isNull(jobs.failedAt);
const isFree = (now: number) => or(isNull(jobs.leasedUntil), lte(jobs.leasedUntil, now));
/** A runner that lost its lease has an older attempt number. */
const isLeasedBy = ({ id, attempts }: JobRow) => and(eq(jobs.id, id), eq(jobs.attempts, attempts));

export async function insertJob(
  tx: Connection,
  job: Pick<JobRow, "id" | "name" | "payload" | "dueAt" | "createdAt">,
): Promise<void> {
  await tx.drizzle.insert(jobs).values(job);
}

const insertOnce = preparedQuery((db) =>
  db
    .insert(jobs)
    .values({
      id: sql.placeholder("id"),
      name: sql.placeholder("name"),
      payload: sql.placeholder("payload"),
      dueAt: sql.placeholder("dueAt"),
      createdAt: sql.placeholder("createdAt"),
    })
    .onConflictDoNothing(),
);
/** Inserts a job unless it exists. Returns whether it was new. */
export const insertJobOnce = async (tx: Connection, job: Parameters<typeof insertJob>[1]): Promise<boolean> =>
  (await insertOnce(tx).run({ ...job })).changes > 0;

/** Returns the names of waiting jobs, and when the first of each may run. */
export const waitingJobs = async (connection: Connection): Promise<{ name: string; at: number }[]> =>
  connection.drizzle
    .select({
      name: jobs.name,
      at: sql<number>`min(case when leased_until > due_at then leased_until else due_at end)`,
    })
    .from(jobs)
    .where(notFailed)
    .groupBy(jobs.name);

/** Whether a job of this name is due and not running. */
export const hasWaitingJob = async (connection: Connection, name: string, now: number): Promise<boolean> =>
  (await first(
    connection.drizzle
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(notFailed, eq(jobs.name, name), lte(jobs.dueAt, now), isFree(now)))
      .limit(1),
  )) !== undefined;

/** Leases due jobs until `until`, the oldest first. */
export async function takeDue(
  tx: Connection,
  name: string,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<JobRow[]> {
  const due = tx.drizzle
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(notFailed, eq(jobs.name, name), lte(jobs.dueAt, now), isFree(now)))
    .orderBy(asc(jobs.dueAt), asc(jobs.id))
    .limit(limit);
  return tx.drizzle
    .update(jobs)
    .set({ leasedUntil: until, attempts: sql`attempts + 1` })
    .where(and(inArray(jobs.id, due), isFree(now)))
    .returning();
}

/** Changes a job under the caller's lease. Returns false when another runner has taken it. */
export const changeLeased = async (tx: Connection, job: JobRow, change: Partial<JobRow>): Promise<boolean> =>
  (await changes(tx.drizzle.update(jobs).set(change).where(isLeasedBy(job)))) > 0;

export async function finish(tx: Connection, job: JobRow): Promise<void> {
  await tx.drizzle.delete(jobs).where(isLeasedBy(job));
}

/** Deletes jobs of this name that have not failed, except one. */
export async function deleteUnfinished(tx: Connection, name: string, exceptId = ""): Promise<void> {
  await tx.drizzle.delete(jobs).where(and(notFailed, eq(jobs.name, name), ne(jobs.id, exceptId)));
}

/** Deletes emails to an address, both waiting and failed. `name` is the job that sends mails. */
export async function deleteMailsTo(tx: Connection, name: string, to: string): Promise<void> {
  await tx.drizzle
    .delete(jobs)
    .where(and(eq(jobs.name, name), eq(jsonField(jsonField(jobs.payload, "mail"), "to"), to)));
}

export async function deleteWaiting(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(jobs).where(and(notFailed, eq(jobs.id, id)));
}

/** Returns the number of deleted jobs. */
export async function deleteFailedBefore(tx: Connection, before: number, limit: number): Promise<number> {
  const batch = tx.drizzle
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isNotNull(jobs.failedAt), lt(jobs.failedAt, before)))
    .limit(limit);
  return await changes(tx.drizzle.delete(jobs).where(inArray(jobs.id, batch)));
}

/** Returns jobs, newest first, those for a later time last; of names in `routine` only running and failed ones. */
export const listJobs = async (
  connection: Connection,
  routine: string[],
  limit: number,
  offset = 0,
): Promise<JobRow[]> =>
  connection.drizzle
    .select()
    .from(jobs)
    .where(or(gt(jobs.attempts, 0), notInArray(jobs.name, routine)))
    .orderBy(sql`created_at > ${Date.now()}`, desc(jobs.createdAt), desc(jobs.id))
    .limit(limit)
    .offset(offset);

export const jobById = async (connection: Connection, id: string): Promise<JobRow | undefined> =>
  first(connection.drizzle.select().from(jobs).where(eq(jobs.id, id)));

export async function deleteFailed(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(jobs).where(and(eq(jobs.id, id), isNotNull(jobs.failedAt)));
}

export const countJobs = async (
  connection: Connection,
): Promise<{ name: string; failed: number; count: number }[]> =>
  connection.drizzle
    .select({
      name: jobs.name,
      failed: sql<number>`failed_at is not null`,
      count: sql<number>`count(*)`,
    })
    .from(jobs)
    .groupBy(jobs.name, sql`failed_at is not null`);

/** Resets failed jobs; returns their number. */
export async function retry(
  tx: Connection,
  selection: { id: string } | { names: string[] },
  now: number,
): Promise<number> {
  const condition = "id" in selection ? eq(jobs.id, selection.id) : inArray(jobs.name, selection.names);
  const resetFields = { failedAt: null, leasedUntil: null, attempts: 0, dueAt: now, createdAt: now };
  return await changes(
    tx.drizzle
      .update(jobs)
      .set(resetFields)
      .where(and(isNotNull(jobs.failedAt), condition)),
  );
}
