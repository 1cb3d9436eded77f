import type { Context } from "../context.ts";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { Transaction } from "../database/writer.ts";
import { searchTopic } from "../live/facts.ts";
import { signUpNow } from "./admission.ts";
import { countApplications, findApplication, insertApplication } from "./application-queries.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { tellStaff } from "./telling.ts";

/** For whoever has shown that the account is theirs. */
export class WaitsStill extends AppError {
  constructor() {
    super(
      "forbidden",
      "The moderators have not let you in yet. We write to you as soon as they have decided.",
    );
  }
}

/**
 * The address of an account was shown to be its owner's: it is let in, or where new people wait for moderators it comes to wait
 * with its `answer`; null is that of a sign-up that was not asked. True where it is in. Throws `too_many` where too many wait.
 */
export async function arrive(
  tx: Transaction,
  user: Pick<UserRow, "id" | "verifiedAt">,
  answer: string | null,
): Promise<boolean> {
  if (user.verifiedAt !== null) return true;
  const isAsked = answer !== null && (await signUpNow(tx)) === "approval";
  if (isAsked || (await findApplication(tx, user.id))) {
    await wait(tx, user.id, answer ?? "");
    return false;
  }
  await letIn(tx, user.id);
  return true;
}

async function wait(tx: Transaction, userId: string, answer: string): Promise<void> {
  if (await findApplication(tx, userId)) return;
  if ((await countApplications(tx)) >= staffLimits.applications.most)
    throw new AppError("too_many", "Too many people wait already. Please open this link again tomorrow.", {
      retryAfter: 24 * 60 * 60,
    });
  await insertApplication(tx, { userId, answer, waitsSince: Date.now() });
  await tellStaff(tx);
}

/** From now on it is an account like any other. The first one of a site runs it. */
export async function letIn(tx: Transaction, userId: string): Promise<void> {
  const isAdmin = await queries.hasNoVerifiedUser(tx);
  await queries.updateUser(tx, userId, { verifiedAt: Date.now(), ...(isAdmin ? { isAdmin } : {}) });
  await tx.fact(searchTopic, { kind: "search.people" });
  await tellStaff(tx);
}

/** Whether an account waits for moderators. */
export const isWaiting = async ({ database }: Pick<Context, "database">, { id, verifiedAt }: UserRow) =>
  verifiedAt === null && (await findApplication(database.read, id)) !== undefined;
