import type { Transaction } from "../database/writer.ts";
import { endSessions } from "./end-sessions.ts";
import { countPasskeys, deletePasskeysSince } from "./passkey-queries.ts";
import { updateUser, type UserRow } from "../profiles/queries.ts";
import {
  authenticatorOf,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteRecoveryCodesSince,
} from "./second-step-queries.ts";
import { deleteUnusedCodes } from "./second-step.ts";

/**
 * Removes sign-in methods added or changed since a time, possibly by a thief, and always the password and all sessions.
 * Returns the sessions' hashes, to close after the commit.
 */
export async function undoAccessChanges(tx: Transaction, user: UserRow, since: number): Promise<string[]> {
  const { id, googleLinkedAt } = user;
  const app = await authenticatorOf(tx, id);
  // The person who started an unconfirmed setup could confirm it.
  if (app && (app.confirmedAt === null || app.confirmedAt >= since)) await deleteAuthenticator(tx, id);
  await deletePasskeysSince(tx, id, since);
  await deleteRecoveryCodesSince(tx, id, since);
  await updateUser(tx, id, {
    passwordHash: null,
    // Without codes a lost passkey locks the owner out, and a thief may have turned this step on.
    ...((await countPasskeys(tx, id)) === 0 || (await countRecoveryCodes(tx, id)) === 0
      ? { passkeyStep: false }
      : {}),
    ...(googleLinkedAt !== null && googleLinkedAt >= since ? { googleId: null, googleLinkedAt: null } : {}),
  });
  await deleteUnusedCodes(tx, id);
  return endSessions(tx, id);
}
