import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { PasswordChange } from "../../shared/users.ts";
import { verifyOwnPassword } from "../auth/own-password.ts";
import { hashPassword, rejectCommonPassword, rejectPersonalPassword } from "../auth/passwords.ts";
import type { MemberContext } from "../context.ts";
import { reportAccessChange } from "./access-report.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";
import { endOtherSessions } from "./sessions.ts";

/** Returns the viewer's account. Throws `not_found` if it was deleted. */
export async function ownAccount(ctx: MemberContext): Promise<UserRow> {
  const user = await queries.userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account no longer exists.");
  return user;
}

/**
 * Changes the password, which requires the current one. Ends other sessions, and reports it by email in case of a thief.
 */
export async function changePassword(
  ctx: MemberContext,
  { current, password }: z.output<typeof PasswordChange>,
): Promise<{ message: string }> {
  const user = await ownAccount(ctx);
  await verifyOwnPassword(ctx, user, current, "current");
  if (current === password)
    throw new AppError("bad_request", "That’s already your password. Please choose another one.", {
      field: "password",
    });
  rejectCommonPassword(password);
  rejectPersonalPassword(password, user);
  await ctx.limits.take("access", user.id);
  const passwordHash = await hashPassword(password);
  const newCookie = await ctx.database.write(async (tx) => {
    // Concurrent change: the verified password is no longer valid.
    if ((await queries.userById(tx, user.id))?.passwordHash !== user.passwordHash)
      throw new AppError("conflict", "Your password was changed in the meantime. Please enter the new one.", {
        field: "current",
      });
    await queries.updateUser(tx, user.id, { passwordHash });
    await reportAccessChange(tx, ctx, user, "Your password was changed");
    return endOtherSessions(tx, ctx, user.id);
  });
  if (newCookie) ctx.setCookie(newCookie);
  return { message: "Password changed. You’ve been signed out everywhere else." };
}
