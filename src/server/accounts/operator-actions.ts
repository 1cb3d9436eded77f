import { AppError } from "../../shared/errors.ts";
import { sentRoutes } from "../../shared/routes.ts";
import { deleteSessionsOf } from "../auth/queries.ts";
import type { Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { countAdmins } from "../profiles/account-queries.ts";
import { deleteSignupRequest } from "../signup/signup-request-queries.ts";
import { approveSignup } from "../signup/signup-approval.ts";
import { issueToken } from "../signup/mail-links.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";

/* What operators do to accounts. `also` runs in the transaction of a change. */

type Store = Pick<Services, "database">;
type Also = (tx: Transaction) => Promise<void>;

/** Confirms an address and revokes its confirmation links. Returns false if it was already confirmed. */
export const confirmAccount = (
  { database }: Store,
  user: Pick<UserRow, "id">,
  also: Also,
): Promise<boolean> =>
  database.write(async (tx) => {
    const isNew = await confirmAddress(tx, user);
    if (isNew) await also(tx);
    return isNew;
  });

export async function confirmAddress(tx: Transaction, { id }: Pick<UserRow, "id">): Promise<boolean> {
  if ((await queries.userById(tx, id))?.verifiedAt !== null) return false;
  await queries.deleteMailTokens(tx, id, "verify");
  await deleteSignupRequest(tx, id);
  await approveSignup(tx, id);
  return true;
}

/** Returns a link to choose a new password, as an email would: it works once, for a day. */
export async function resetLink(
  { database, config }: Pick<Services, "database" | "config">,
  { id }: Pick<UserRow, "id">,
  also: Also,
): Promise<string> {
  const token = await database.write(async (tx) => {
    await also(tx);
    return issueToken(tx, id, "reset");
  });
  return config.publicUrl + sentRoutes.resetPassword(token);
}

/** Signs a person out everywhere, also on open pages. */
export async function endSessions(
  { database, sessions }: Pick<Services, "database" | "sessions">,
  { id }: Pick<UserRow, "id">,
  also: Also,
): Promise<void> {
  const endedHashes = await database.write(async (tx) => {
    const hashes = await deleteSessionsOf(tx, id);
    if (hashes.length === 0) return hashes;
    await tx.emit(userTopic(id), { kind: "viewer.signInChanged" });
    await also(tx);
    return hashes;
  });
  sessions.closeConnections(endedHashes);
}

/** Appoints or removes an administrator. Throws `conflict` for the last one. */
export const setAdmin = (
  { database }: Store,
  { id }: Pick<UserRow, "id">,
  isAdmin: boolean,
  also: Also,
): Promise<void> =>
  database.write(async (tx) => {
    const user = await queries.userById(tx, id);
    if (!user || user.isAdmin === isAdmin) return;
    if (!isAdmin && (await countAdmins(tx)) < 2)
      throw new AppError(
        "conflict",
        "The site would have no administrator. Make someone else an administrator first.",
      );
    await queries.updateUser(tx, id, { isAdmin });
    await tx.emit(userTopic(id), { kind: "viewer.profileChanged" });
    await also(tx);
  });
