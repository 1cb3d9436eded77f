import type { Context } from "../context.ts";
import type { Config } from "../runtime/config.ts";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { Transaction } from "../database/writer.ts";
import { peopleTopic } from "../live/signals.ts";
import { searchTopic } from "../live/stored-events.ts";
import { takeInvitation } from "./sign-up-policy-queries.ts";
import { currentSignupMode, invitationNeeded } from "./sign-up-policy.ts";
import { countSignupRequests, findSignupRequest, insertSignupRequest } from "./sign-up-request-queries.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";
import { publishStaffQueues } from "../moderation/staff-events.ts";

/** Thrown while an account awaits approval; only after the right password. */
export class SignupPendingError extends AppError {
  constructor() {
    super(
      "forbidden",
      "Moderators haven’t approved your account yet. We’ll email you as soon as they decide.",
    );
  }
}

/** What decides over a sign-up: the answer, null if the form did not ask, and the code of an invitation, null without one. */
export interface SignupGrounds {
  answer: string | null;
  invitation: string | null;
}

/** Of a sign-up that is no longer known: it may have had an invitation that is used up. */
export const unknownGrounds: SignupGrounds = { answer: "", invitation: "" };

/**
 * Completes a sign-up after its address was confirmed: approves it, with the place of its invitation, or stores a request for
 * moderators. Returns whether it is approved. Throws `forbidden` without a place, `too_many` for too many requests.
 */
export async function completeSignup(
  tx: Transaction,
  config: Pick<Config, "setUpByLink">,
  user: Pick<UserRow, "id" | "verifiedAt">,
  { answer, invitation }: SignupGrounds,
): Promise<boolean> {
  if (user.verifiedAt !== null) return true;
  if (!(await findSignupRequest(tx, user.id)) && (await isAdmitted(tx, { answer, invitation }))) {
    await approveSignup(tx, config, user.id);
    return true;
  }
  await queueSignup(tx, user.id, answer ?? "");
  return false;
}

/** Takes the place of the invitation, where one is needed. Returns false where moderators decide. */
async function isAdmitted(tx: Transaction, { answer, invitation }: SignupGrounds): Promise<boolean> {
  const mode = await currentSignupMode(tx);
  if (mode === "open" || (answer === null && invitation === null)) return true;
  if (invitation && (await takeInvitation(tx, invitation, Date.now()))) {
    // Guests' cached pages say whether it is used.
    tx.signal(peopleTopic);
    return true;
  }
  if (mode === "approval") return false;
  if (invitation !== null) throw await invitationNeeded(tx, invitation);
  // It answered a question that is no longer asked.
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
  tx.emit(searchTopic, { kind: "search.people" });
  await publishStaffQueues(tx);
}

export const isSignupPending = async ({ database }: Pick<Context, "database">, { id, verifiedAt }: UserRow) =>
  verifiedAt === null && (await findSignupRequest(database.read, id)) !== undefined;
