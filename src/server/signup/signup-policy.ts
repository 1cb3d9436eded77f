import type { SignUpMode } from "../../shared/users.ts";
import { AppError } from "../../shared/errors.ts";
import type { Connection } from "../database/connection.ts";
import { findInvitation, signUpMode, takeInvitation } from "./signup-policy-queries.ts";
import { hasNoVerifiedUser } from "../profiles/queries.ts";

/** Returns who can sign up; the first account always can. */
export async function currentSignupMode(connection: Connection): Promise<SignUpMode> {
  const mode = await signUpMode(connection);
  return mode !== "open" && (await hasNoVerifiedUser(connection)) ? "open" : mode;
}

/** After confirmation the account is approved (`in`, `invited`) or waits for moderators. */
export type SignupOutcome = "in" | "invited" | "waits";

/** Checks whether sign-up is allowed, the same for every address. Throws `forbidden`. */
export const requireSignupAllowed = (
  connection: Connection,
  invitation: string | undefined,
): Promise<SignupOutcome> => checkSignup(connection, invitation, findInvitation);

/** Uses an invitation's place in the transaction that creates the account. Throws `forbidden` if none is left. */
export const claimInvitation = (tx: Connection, invitation: string | undefined): Promise<SignupOutcome> =>
  checkSignup(tx, invitation, takeInvitation);

async function checkSignup(
  connection: Connection,
  invitation: string | undefined,
  isGood: (connection: Connection, code: string, now: number) => Promise<unknown>,
): Promise<SignupOutcome> {
  const mode = await currentSignupMode(connection);
  const isOpen = mode === "open";
  if (
    !isOpen &&
    mode !== "closed" &&
    invitation !== undefined &&
    (await isGood(connection, invitation, Date.now()))
  )
    return "invited";
  if (isOpen || mode === "approval") return isOpen ? "in" : "waits";
  throw new AppError(
    "forbidden",
    mode === "invitation"
      ? "You need an invitation to join, and this one has expired or was used. Please ask for a new link."
      : "This site isn’t accepting new accounts at the moment.",
  );
}
