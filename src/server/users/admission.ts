import type { SignUpMode } from "../../shared/users.ts";
import { AppError } from "../../shared/errors.ts";
import type { Connection } from "../database/connection.ts";
import { findInvitation, signUpMode, takeInvitation } from "./admission-queries.ts";
import { hasNoVerifiedUser } from "./queries.ts";

/**
 * Whether somebody may sign up, before anything is done for it: the same for every address. The first account of a site is
 * always let in. Throws `forbidden`.
 */
export async function requireAdmission(
  connection: Connection,
  invitation: string | undefined,
): Promise<void> {
  if (!(await isAdmitted(connection, invitation))) throw shut(await signUpMode(connection));
}

async function isAdmitted(connection: Connection, invitation: string | undefined): Promise<boolean> {
  const mode = await signUpMode(connection);
  if (mode === "open" || (await hasNoVerifiedUser(connection))) return true;
  if (mode === "closed" || invitation === undefined) return false;
  return (await findInvitation(connection, invitation, Date.now())) !== undefined;
}

/** Uses up one place of an invitation, in the transaction that makes the account. Throws `forbidden` where the last one has just gone. */
export async function takePlace(tx: Connection, invitation: string | undefined): Promise<void> {
  const mode = await signUpMode(tx);
  if (mode === "open" || (await hasNoVerifiedUser(tx))) return;
  const isLet =
    mode === "invitation" && invitation !== undefined && (await takeInvitation(tx, invitation, Date.now()));
  if (!isLet) throw shut(mode);
}

const shut = (mode: SignUpMode) =>
  new AppError(
    "forbidden",
    mode === "invitation"
      ? "Joining is by invitation here, and this one is not good any more. Please ask for another link."
      : "This site takes no new accounts at the moment.",
  );
