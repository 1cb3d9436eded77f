import { AppError } from "../../shared/errors.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { Parts } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { adminsAmong } from "./account-queries.ts";
import { deleteSignupRequest } from "./signup-request-queries.ts";
import { approveSignup } from "./signup-approval.ts";
import { issueToken } from "./mail-links.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";

/* What whoever runs the site does to accounts. */

type Store = Pick<Parts, "database">;

/** Takes an account's address as confirmed; links to confirm it work no more. False where it was so already. */
export const confirmAccount = ({ database }: Store, user: Pick<UserRow, "id">): Promise<boolean> =>
  database.write((tx) => confirmAddress(tx, user));

export async function confirmAddress(tx: Transaction, { id }: Pick<UserRow, "id">): Promise<boolean> {
  if ((await queries.userById(tx, id))?.verifiedAt !== null) return false;
  await queries.deleteMailTokens(tx, id, "verify");
  await deleteSignupRequest(tx, id);
  await approveSignup(tx, id);
  return true;
}

/** A link by which an account's password is chosen anew, as its mail would have it: it works once, for a day. */
export const resetLink = async (
  { database, config }: Pick<Parts, "database" | "config">,
  { id }: Pick<UserRow, "id">,
): Promise<string> =>
  config.publicUrl + sentRoutes.resetPassword(await database.write((tx) => issueToken(tx, id, "reset")));

/** Makes somebody an administrator, or no longer one. Throws `conflict` where nobody would be left who runs the site. */
export const setAdmin = ({ database }: Store, { id }: Pick<UserRow, "id">, isAdmin: boolean): Promise<void> =>
  database.write(async (tx) => {
    const user = await queries.userById(tx, id);
    if (!isAdmin && user?.isAdmin && (await adminsAmong(tx)) < 2)
      throw new AppError(
        "conflict",
        "The site would have no administrator. Make someone else an administrator first.",
      );
    await queries.updateUser(tx, id, { isAdmin });
  });
