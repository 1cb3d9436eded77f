import { markOpen, publicSpan } from "../blogs/queries.ts";
import { tellSearch } from "../blogs/telling.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { feedTopic, rightsTopic } from "../live/facts.ts";
import { holdersAboutAuthor } from "../notices/holder-queries.ts";
import { tellWithdrawn } from "../notices/telling.ts";
import { updateUser, userById } from "../users/queries.ts";

export const settlingJob = "settle-blogs";
/** Lets in who waits for an account that is public now. */
export const lettingInJob = "let-in";
/** Blogs that are marked in one transaction: some milliseconds. */
const settledAtOnce = 200;

/** Marks some of the blogs of an account that opened or closed, or was suspended or limited; true where no more are left. */
async function settleSome(tx: Transaction, userId: string): Promise<boolean> {
  const user = await userById(tx, userId);
  if (!user?.unsettled) return true;
  const isOpen = !user.private && user.suspendedAt === null && user.limitedAt === null;
  if ((await markOpen(tx, userId, isOpen, settledAtOnce)) === settledAtOnce) return false;
  await updateUser(tx, userId, { unsettled: false });
  return true;
}

/** Marks the rest where somebody wrote much. Until then lists look at the accounts themselves. */
export const goOnSettling: JobHandler<{ userId: string }> = {
  timeLimit: 30 * 60_000,
  run: (parts, { userId }, { signal }) => inSteps(parts.database, (tx) => settleSome(tx, userId), signal),
};

/**
 * Marks the blogs of an account that opened or closed, or was suspended or limited, or no longer is, and tells whoever shows or finds some of them:
 * many may have come or gone at once. `toEverybody` where they are everybody's on either side; `alsoHold` other people's notices
 * about it.
 */
export async function settleAccount(
  tx: Transaction,
  userId: string,
  { toEverybody, alsoHold = [] }: { toEverybody: boolean; alsoHold?: string[] },
): Promise<void> {
  if (!(await settleSome(tx, userId))) await enqueue(tx, settlingJob, { userId });
  const span = toEverybody ? await publicSpan(tx, userId) : undefined;
  if (span) await tx.fact(feedTopic, { kind: "feed.changed", ...span });
  await tellSearch(tx, userId, "everybody");
  await tellWithdrawn(tx, [...(await holdersAboutAuthor(tx, userId)), ...alsoHold]);
  tx.ring(rightsTopic(userId));
}
