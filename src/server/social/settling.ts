import { markOpen } from "../blogs/queries.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { updateUser, userById } from "../users/queries.ts";

export const settlingJob = "settle-blogs";
/** Blogs that are marked in one transaction: some milliseconds. */
const settledAtOnce = 200;

/** Marks some of the blogs of an account that opened or closed, or was suspended; true where no more are left. */
export async function settleSome(tx: Transaction, userId: string): Promise<boolean> {
  const user = await userById(tx, userId);
  if (!user?.unsettled) return true;
  if (
    (await markOpen(tx, userId, !user.private && user.suspendedAt === null, settledAtOnce)) === settledAtOnce
  )
    return false;
  await updateUser(tx, userId, { unsettled: false });
  return true;
}

/** Marks the rest where somebody wrote much. Until then lists look at the accounts themselves. */
export const goOnSettling: JobHandler<{ userId: string }> = {
  timeLimit: 30 * 60_000,
  run: (parts, { userId }, { signal }) => inSteps(parts.database, (tx) => settleSome(tx, userId), signal),
};
