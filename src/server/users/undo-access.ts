import { deleteSessionsOf } from "../auth/queries.ts";
import type { Transaction } from "../database/writer.ts";
import { forgetBrowsers } from "./browser-queries.ts";
import { countPasskeys, deletePasskeysSince } from "./passkey-queries.ts";
import { updateUser, type UserRow } from "./queries.ts";
import {
  authenticatorOf,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteRecoveryCodesSince,
} from "./second-step-queries.ts";
import { dropNeedlessCodes } from "./second-step.ts";

/**
 * Takes from an account every way in that was added or changed since a time, which may be a thief's: authenticator app, passkeys,
 * recovery codes and the link to Google. The password, known browsers and all sessions, with what is pushed to them, go in any
 * case. Returns the hashes of the sessions, which are to be closed after the commit.
 */
export async function undoAccessChanges(tx: Transaction, user: UserRow, since: number): Promise<string[]> {
  const { id, googleLinkedAt } = user;
  const app = await authenticatorOf(tx, id);
  // The person who began one that is not confirmed yet may confirm it.
  if (app && (app.confirmedAt === null || app.confirmedAt >= since)) await deleteAuthenticator(tx, id);
  await deletePasskeysSince(tx, id, since);
  await deleteRecoveryCodesSince(tx, id, since);
  await updateUser(tx, id, {
    passwordHash: null,
    // Without a code nobody could go on where the passkey is lost, and a thief may have turned the step on.
    ...((await countPasskeys(tx, id)) === 0 || (await countRecoveryCodes(tx, id)) === 0
      ? { passkeyStep: false }
      : {}),
    ...(googleLinkedAt !== null && googleLinkedAt >= since ? { googleId: null, googleLinkedAt: null } : {}),
  });
  await dropNeedlessCodes(tx, id);
  await forgetBrowsers(tx, id, "");
  return deleteSessionsOf(tx, id);
}
