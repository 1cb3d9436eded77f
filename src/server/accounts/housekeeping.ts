import { limits } from "../../shared/limits.ts";
import type { Database } from "../database/connection.ts";
import { deleteInSteps } from "../database/run-in-steps.ts";
import { forgetOldBrowsers } from "../sign-in/known-browser-queries.ts";
import { deleteExpiredTokens, deleteForgottenSignUps } from "../profiles/queries.ts";
import { dayOf, deleteUsesBefore } from "../profiles/usage-queries.ts";
import { releaseUsernames } from "../profiles/username-queries.ts";

type Store = Pick<Database, "write">;

/** Deletes expired links, held usernames of deleted accounts, and old browsers. */
export async function deleteExpiredAccountData(database: Store, now: number): Promise<void> {
  await deleteInSteps(database, (tx, limit) => deleteExpiredTokens(tx, now, limit));
  await deleteInSteps(database, (tx, limit) => releaseUsernames(tx, now, limit));
  await deleteInSteps(database, (tx, limit) => forgetOldBrowsers(tx, now - limits.browser.keptFor, limit));
}

/** Deletes usage counts. New accounts' limits need the last two days. */
export const deleteOldUses = (database: Store, now: number): Promise<void> =>
  deleteInSteps(database, (tx, limit) => deleteUsesBefore(tx, dayOf(now) - 2, limit));

/** Deletes unconfirmed accounts after a month, which frees their names. */
export const deleteOldSignUps = (database: Store, now: number): Promise<void> =>
  deleteInSteps(database, (tx, limit) => deleteForgottenSignUps(tx, now - limits.signUp.keptFor, limit));
