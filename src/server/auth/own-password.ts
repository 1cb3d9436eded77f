import { AppError } from "../../shared/errors.ts";
import type { Context } from "../context.ts";
import { pairKey } from "./rate-limits.ts";
import { verifyPassword } from "./passwords.ts";

/** Throws `forbidden` for a wrong password, `bad_request` if the account has none. `field` is the form field. */
export async function verifyOwnPassword(
  { limits, address }: Pick<Context, "limits" | "address">,
  user: { id: string; passwordHash: string | null },
  password: string,
  field = "password",
): Promise<void> {
  if (user.passwordHash === null)
    throw new AppError("bad_request", "This account has no password yet. Set one first.", { field });
  const pair = pairKey(address, user.id);
  await limits.take("ownPassword", pair);
  if (!(await verifyPassword(user.passwordHash, password)))
    throw new AppError("forbidden", "Wrong password. Please try again.", { field });
  await limits.reset("ownPassword", pair);
}
