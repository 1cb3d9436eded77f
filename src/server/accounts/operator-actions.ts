import { sentRoutes } from "../../shared/routes.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { requireAnotherAdministrator } from "../profiles/access.ts";
import { issueToken } from "../sign-in/mail-links.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";

/* What operators do to accounts, in a transaction of the caller, who logs it there. */

type Account = Pick<UserRow, "id">;

/** Returns a link to choose a new password, as an email would: it works once, for a day. */
export const resetLink = async (tx: Transaction, publicUrl: string, { id }: Account): Promise<string> =>
  publicUrl + sentRoutes.resetPassword(await issueToken(tx, id, "reset"));

/** Appoints or removes an administrator. Returns false if nothing changed. Throws `conflict` for the last one. */
export async function setAdmin(tx: Transaction, { id }: Account, isAdmin: boolean): Promise<boolean> {
  const user = await queries.userById(tx, id);
  if (!user || user.isAdmin === isAdmin) return false;
  if (!isAdmin) await requireAnotherAdministrator(tx, user);
  await queries.updateUser(tx, id, { isAdmin });
  tx.emit(userTopic(id), { kind: "viewer.profileChanged" });
  return true;
}
