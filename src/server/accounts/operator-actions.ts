import { AppError } from "../../shared/errors.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { countAdmins } from "../profiles/account-queries.ts";
import { deleteSignupRequest } from "../signup/signup-request-queries.ts";
import { approveSignup } from "../signup/signup-approval.ts";
import { issueToken } from "../signup/mail-links.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";

/* What operators do to accounts. */

type Store = Pick<Services, "database">;

/** Confirms an address and revokes its confirmation links. Returns false if it was already confirmed. */
export const confirmAccount = ({ database }: Store, user: Pick<UserRow, "id">): Promise<boolean> =>
  database.write((tx) => confirmAddress(tx, user));

export async function confirmAddress(tx: Transaction, { id }: Pick<UserRow, "id">): Promise<boolean> {
  if ((await queries.userById(tx, id))?.verifiedAt !== null) return false;
  await queries.deleteMailTokens(tx, id, "verify");
  await deleteSignupRequest(tx, id);
  await approveSignup(tx, id);
  return true;
}

/** Returns a link to choose a new password, as an email would: it works once, for a day. */
export const resetLink = async (
  { database, config }: Pick<Services, "database" | "config">,
  { id }: Pick<UserRow, "id">,
): Promise<string> =>
  config.publicUrl + sentRoutes.resetPassword(await database.write((tx) => issueToken(tx, id, "reset")));

/** Appoints or removes an administrator. Throws `conflict` for the last one. */
export const setAdmin = ({ database }: Store, { id }: Pick<UserRow, "id">, isAdmin: boolean): Promise<void> =>
  database.write(async (tx) => {
    const user = await queries.userById(tx, id);
    if (!isAdmin && user?.isAdmin && (await countAdmins(tx)) < 2)
      throw new AppError(
        "conflict",
        "The site would have no administrator. Make someone else an administrator first.",
      );
    await queries.updateUser(tx, id, { isAdmin });
  });
