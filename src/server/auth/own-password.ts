import { AppError } from "../../shared/errors.ts";
import type { Context } from "../context.ts";
import { pairOf } from "./limits.ts";
import { isPassword } from "./passwords.ts";

/**
 * Asks whoever is signed in already for the password of their account. Throws `forbidden` where it is another, and `bad_request`
 * where there is none; `field` names the box that it was typed into.
 */
export async function askOwnPassword(
  { limits, address }: Pick<Context, "limits" | "address">,
  user: { id: string; passwordHash: string | null },
  password: string,
  field = "password",
): Promise<void> {
  if (user.passwordHash === null)
    throw new AppError("bad_request", "This account has no password yet. Set one first.", { field });
  const pair = pairOf(address, user.id);
  await limits.take("ownPassword", pair);
  if (!(await isPassword(user.passwordHash, password)))
    throw new AppError("forbidden", "Wrong password. Please try again.", { field });
  await limits.forgive("ownPassword", pair);
}
