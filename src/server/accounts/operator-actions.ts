import { AppError } from "../../shared/errors.ts";
import { sentRoutes } from "../../shared/routes.ts";
import { deleteSessionsOf } from "../auth/queries.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { countAdmins } from "../profiles/account-queries.ts";
import { deleteSignupRequest } from "../signup/signup-request-queries.ts";
import { approveSignup } from "../signup/signup-approval.ts";
import { issueToken } from "../signup/mail-links.ts";
import { endStaffNotifications } from "../profiles/staff-events.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";

/* What operators do to accounts, in a transaction of the caller, who logs it there. */

type Account = Pick<UserRow, "id">;

/** Confirms an address and revokes its confirmation links. Returns false if it was already confirmed. */
export async function confirmAddress(tx: Transaction, { id }: Account): Promise<boolean> {
  if ((await queries.userById(tx, id))?.verifiedAt !== null) return false;
  await queries.deleteMailTokens(tx, id, "verify");
  await deleteSignupRequest(tx, id);
  await approveSignup(tx, id);
  return true;
}

/** Returns a link to choose a new password, as an email would: it works once, for a day. */
export const resetLink = async (tx: Transaction, publicUrl: string, { id }: Account): Promise<string> =>
  publicUrl + sentRoutes.resetPassword(await issueToken(tx, id, "reset"));

/** Signs a person out everywhere. Returns the sessions' hashes, whose connections the caller closes after the commit. */
export async function endSessions(tx: Transaction, { id }: Account): Promise<string[]> {
  const hashes = await deleteSessionsOf(tx, id);
  if (hashes.length > 0) await tx.emit(userTopic(id), { kind: "viewer.signInChanged" });
  return hashes;
}

/** Appoints or removes an administrator. Returns false if nothing changed. Throws `conflict` for the last one. */
export async function setAdmin(tx: Transaction, { id }: Account, isAdmin: boolean): Promise<boolean> {
  const user = await queries.userById(tx, id);
  if (!user || user.isAdmin === isAdmin) return false;
  if (!isAdmin && (await countAdmins(tx)) < 2)
    throw new AppError(
      "conflict",
      "The site would have no administrator. Make someone else an administrator first.",
    );
  await queries.updateUser(tx, id, { isAdmin });
  if (!isAdmin && !user.isModerator) await endStaffNotifications(tx, id);
  await tx.emit(userTopic(id), { kind: "viewer.profileChanged" });
  return true;
}
