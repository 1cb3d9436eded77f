import type { SignUpMode } from "../../shared/users.ts";
import { AppError } from "../../shared/errors.ts";
import type { Connection } from "../database/connection.ts";
import { findInvitation, signUpMode, takeInvitation } from "./admission-queries.ts";
import { hasNoVerifiedUser } from "./queries.ts";

/** Who may sign up as things are: the first account of a site is let in whatever was set. */
export async function signUpNow(connection: Connection): Promise<SignUpMode> {
  const mode = await signUpMode(connection);
  return mode !== "open" && (await hasNoVerifiedUser(connection)) ? "open" : mode;
}

/** Whoever signs up is in once their address is confirmed, or waits for moderators from then on. */
export type Admitted = "in" | "invited" | "waits";

/** Whether somebody may sign up, before anything is done for it: the same for every address. Throws `forbidden`. */
export const requireAdmission = (connection: Connection, invitation: string | undefined): Promise<Admitted> =>
  admit(connection, invitation, findInvitation);

/** Uses up one place of an invitation, in the transaction that makes the account. Throws `forbidden` where the last one has just gone. */
export const takePlace = (tx: Connection, invitation: string | undefined): Promise<Admitted> =>
  admit(tx, invitation, takeInvitation);

async function admit(
  connection: Connection,
  invitation: string | undefined,
  isGood: (connection: Connection, code: string, now: number) => Promise<unknown>,
): Promise<Admitted> {
  const mode = await signUpNow(connection);
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
      ? "Joining is by invitation here, and this one is not good any more. Please ask for another link."
      : "This site takes no new accounts at the moment.",
  );
}
