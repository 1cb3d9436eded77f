import type { Context } from "../context.ts";
import type { Config } from "../runtime/config.ts";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { Transaction } from "../database/writer.ts";
import { searchTopic } from "../live/stored-events.ts";
import { currentSignupMode } from "./signup-policy.ts";
import { countSignupRequests, findSignupRequest, insertSignupRequest } from "./signup-request-queries.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";
import { publishStaffQueues } from "../profiles/staff-events.ts";

/** Thrown while an account awaits approval; only after the right password. */
export class SignupPendingError extends AppError {
  constructor() {
    super(
      "forbidden",
      "Moderators haven’t approved your account yet. We’ll email you as soon as they decide.",
    );
  }
}

/**
 * Completes a sign-up after its address was confirmed: approves it, or stores a request with `answer` for moderators (null if
 * the form did not ask). Returns whether it is approved. Throws `too_many` for too many requests.
 */
export async function completeSignup(
  tx: Transaction,
  config: Pick<Config, "setUpByLink">,
  user: Pick<UserRow, "id" | "verifiedAt">,
  answer: string | null,
): Promise<boolean> {
  if (user.verifiedAt !== null) return true;
  const isAsked = answer !== null && (await currentSignupMode(tx)) === "approval";
  if (isAsked || (await findSignupRequest(tx, user.id))) {
    await queueSignup(tx, user.id, answer ?? "");
    return false;
  }
  await approveSignup(tx, config, user.id);
  return true;
}

async function queueSignup(tx: Transaction, userId: string, answer: string): Promise<void> {
  if (await findSignupRequest(tx, userId)) return;
  if ((await countSignupRequests(tx)) >= staffLimits.signupRequests.most)
    throw new AppError(
      "too_many",
      "Too many people are waiting for approval. Please open this link again tomorrow.",
      {
        retryAfter: 24 * 60 * 60,
      },
    );
  await insertSignupRequest(tx, { userId, answer, requestedAt: Date.now() });
  await publishStaffQueues(tx, "new-sign-ups");
}

/** Approves an account. A site's first becomes administrator, except where that one comes by a link. */
export async function approveSignup(
  tx: Transaction,
  { setUpByLink }: Pick<Config, "setUpByLink">,
  userId: string,
): Promise<void> {
  const isAdmin = !setUpByLink && (await queries.hasNoVerifiedUser(tx));
  await queries.updateUser(tx, userId, { verifiedAt: Date.now(), ...(isAdmin ? { isAdmin } : {}) });
  await tx.emit(searchTopic, { kind: "search.people" });
  await publishStaffQueues(tx);
}

export const isSignupPending = async ({ database }: Pick<Context, "database">, { id, verifiedAt }: UserRow) =>
  verifiedAt === null && (await findSignupRequest(database.read, id)) !== undefined;
