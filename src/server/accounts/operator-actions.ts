import { sentRoutes } from "../../shared/routes.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { requireAnotherAdministrator } from "../profiles/access.ts";
import { deleteSignupRequest } from "../sign-in/sign-up-request-queries.ts";
import { approveSignup } from "../sign-in/sign-up-approval.ts";
import { issueToken } from "../sign-in/mail-links.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";

/* What operators do to accounts, in a transaction of the caller, who logs it there. */

type Account = Pick<UserRow, "id">;

/** Confirms an address and revokes its confirmation links. Returns false if it was already confirmed. */
export async function confirmAddress(tx: Transaction, { id }: Account): Promise<boolean> {
  if ((await queries.userById(tx, id))?.verifiedAt !== null) return false;
  await queries.deleteMailTokens(tx, id, "verify");
  await deleteSignupRequest(tx, id);
  // An operator can choose the first administrator.
  await approveSignup(tx, { setUpByLink: false }, id);
  return true;
}

/** Returns a link to choose a new password, as an email would: it works once, for a day. */
export const resetLink = async (tx: Transaction, publicUrl: string, { id }: Account): Promise<string> =>
  publicUrl + sentRoutes.resetPassword(await issueToken(tx, id, "reset"));

/** Appoints or removes an administrator. Returns false if nothing changed. Throws `conflict` for the last one. */
export async function setAdmin(tx: Transaction, { id }: Account, isAdmin: boolean): Promise<boolean> {
  const user = await queries.userById(tx, id);
  if (!user || user.isAdmin === isAdmin) return false;
  if (!isAdmin) await requireAnotherAdministrator(tx, user);
  await queries.updateUser(tx, id, { isAdmin });
  await tx.emit(userTopic(id), { kind: "viewer.profileChanged" });
  return true;
}
