import { updatePublicFlags, publicDateRange } from "../blogs/queries.ts";
import { publishToSearch } from "../blogs/events.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { feedTopic } from "../live/stored-events.ts";
import { rightsTopic } from "../live/signals.ts";
import { recipientsOfAuthor } from "../notifications/recipient-queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { updateUser, userById } from "../profiles/queries.ts";

export const visibilitySyncJob = "sync-visibility";
/** Accepts the requests of an account that became public. */
export const acceptRequestsJob = "accept-requests";
/** Blogs in one transaction, which takes some milliseconds. */
const syncedAtOnce = 200;

/** Marks some blogs (`blogs.open`) by their account's visibility. Returns whether none are left. */
async function syncSome(tx: Transaction, userId: string): Promise<boolean> {
  const user = await userById(tx, userId);
  if (!user?.visibilitySyncPending) return true;
  const isOpen = !user.private && user.suspendedAt === null && user.limitedAt === null;
  if ((await updatePublicFlags(tx, userId, isOpen, syncedAtOnce)) === syncedAtOnce) return false;
  await updateUser(tx, userId, { visibilitySyncPending: false });
  return true;
}

/** Marks the rest of many blogs. Until then lists read the accounts. */
export const resumeVisibilitySync: JobHandler<{ userId: string }> = {
  timeLimit: 30 * 60_000,
  run: (services, { userId }, { signal }) =>
    runInSteps(services.database, (tx) => syncSome(tx, userId), signal),
};

/**
 * Marks the blogs of an account whose visibility changed, and signals pages, searches and notifications. `toEverybody`: public
 * before or after; `alsoNamed`: more people with notifications about it.
 */
export async function syncBlogVisibility(
  tx: Transaction,
  userId: string,
  { toEverybody, alsoNamed = [] }: { toEverybody: boolean; alsoNamed?: string[] },
): Promise<void> {
  if (!(await syncSome(tx, userId))) await enqueue(tx, visibilitySyncJob, { userId });
  const span = toEverybody ? await publicDateRange(tx, userId) : undefined;
  if (span) tx.emit(feedTopic, { kind: "feed.changed", ...span });
  await publishToSearch(tx, userId, "everyone");
  publishWithdrawn(tx, [...(await recipientsOfAuthor(tx, userId)), ...alsoNamed]);
  tx.signal(rightsTopic(userId));
}
