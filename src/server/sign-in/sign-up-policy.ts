import { invitationProblems, type InvitationState } from "../../shared/invitations.ts";
import type { SignUpMode } from "../../shared/users.ts";
import { AppError } from "../../shared/errors.ts";
import type { Connection } from "../database/connection.ts";
import { findInvitation, signUpMode } from "./sign-up-policy-queries.ts";
import { countUnconfirmedBy, hasNoVerifiedUser } from "../profiles/queries.ts";

/** Returns who can sign up; the first account always can. */
export async function currentSignupMode(connection: Connection): Promise<SignUpMode> {
  const mode = await signUpMode(connection);
  return mode !== "open" && (await hasNoVerifiedUser(connection)) ? "open" : mode;
}

/** How a sign-up continues: the account is approved once its address is confirmed (`in`, `invited`), or waits for moderators. */
export type SignupOutcome = "in" | "invited" | "waits";

/**
 * Checks whether sign-up is allowed, the same for every address; an invitation keeps its place until the address is confirmed.
 * Where accounts need approval, an invitation that is not valid does not replace the answer. Throws `forbidden`.
 */
export async function requireSignupAllowed(
  connection: Connection,
  { invitation, answer = "" }: { invitation?: string | undefined; answer?: string | undefined },
): Promise<SignupOutcome> {
  const mode = await currentSignupMode(connection);
  if (mode === "open") return "in";
  if (mode === "closed")
    throw new AppError("forbidden", "This site isn’t accepting new accounts at the moment.");
  if (invitation !== undefined && (await invitationState(connection, invitation)) === "valid")
    return "invited";
  if (mode === "invitation" || (invitation !== undefined && answer === ""))
    throw await invitationNeeded(connection, invitation);
  return "waits";
}

export async function invitationState(connection: Connection, code: string): Promise<InvitationState> {
  const invitation = await findInvitation(connection, code);
  if (!invitation) return "unknown";
  if (invitation.expiresAt !== null && invitation.expiresAt <= Date.now()) return "expired";
  return invitation.used < invitation.places ? "valid" : "used";
}

/** Returns the error for a sign-up without an invitation that has a place. */
export async function invitationNeeded(connection: Connection, code: string | undefined): Promise<AppError> {
  const state = code ? await invitationState(connection, code) : "valid";
  return new AppError(
    "forbidden",
    state === "valid"
      ? "You need an invitation to join. If someone sent you a link, please open it."
      : `${invitationProblems[state]} Please ask for a new link.`,
  );
}

/** Returns whether an invitation has a place beside those of unconfirmed sign-ups. */
export async function isWithinPlaces(connection: Connection, code: string): Promise<boolean> {
  const invitation = await findInvitation(connection, code);
  const unconfirmed = await countUnconfirmedBy(connection, code, Date.now());
  return invitation !== undefined && invitation.used + unconfirmed < invitation.places;
}
