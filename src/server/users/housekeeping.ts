import { limits } from "../../shared/limits.ts";
import type { Database } from "../database/connection.ts";
import { deleteInSteps } from "../database/steps.ts";
import { forgetOldBrowsers } from "./browser-queries.ts";
import { deleteExpiredTokens, deleteForgottenSignUps } from "./queries.ts";
import { dayOf, deleteUsesBefore } from "./use-queries.ts";
import { releaseUsernames } from "./username-queries.ts";

type Store = Pick<Database, "write">;

/** Lets go of what accounts are over with: links whose time has passed, usernames of accounts that are gone, browsers that stayed away. */
export async function tidyAccounts(database: Store, now: number): Promise<void> {
  await deleteInSteps(database, (tx, most) => deleteExpiredTokens(tx, now, most));
  await deleteInSteps(database, (tx, most) => releaseUsernames(tx, now, most));
  await deleteInSteps(database, (tx, most) => forgetOldBrowsers(tx, now - limits.browser.keptFor, most));
}

/** Forgets how often what was done on days that are over; a first day began no more than two days ago. */
export const forgetUses = (database: Store, now: number): Promise<void> =>
  deleteInSteps(database, (tx, most) => deleteUsesBefore(tx, dayOf(now) - 2, most));

/** Gives back the names of accounts that signed up a month ago and were never confirmed. */
export const forgetSignUps = (database: Store, now: number): Promise<void> =>
  deleteInSteps(database, (tx, most) => deleteForgottenSignUps(tx, now - limits.signUp.keptFor, most));
