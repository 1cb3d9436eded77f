import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { PasswordChange } from "../../shared/users.ts";
import { askOwnPassword } from "../auth/own-password.ts";
import { hashPassword, refuseCommon, refuseOwn } from "../auth/passwords.ts";
import type { MemberContext } from "../context.ts";
import { reportAccessChange } from "./access-report.ts";
import { forgetOtherBrowsers } from "./browsers.ts";
import { revokeMailLinks } from "./mail-links.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { endOtherSessions } from "./sessions.ts";

/** The viewer's whole account. Throws `not_found` where it is gone. */
export async function ownAccount(ctx: MemberContext): Promise<UserRow> {
  const user = await queries.userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account no longer exists.");
  return user;
}

/**
 * Changes the viewer's password for whoever knows the one there is. Every other session ends, links that were mailed before work
 * no more, and a mail says so: a thief who did it is heard of.
 */
export async function changePassword(
  ctx: MemberContext,
  { current, password }: z.output<typeof PasswordChange>,
): Promise<{ message: string }> {
  const user = await ownAccount(ctx);
  await askOwnPassword(ctx, user, current, "current");
  if (current === password)
    throw new AppError("bad_request", "That’s already your password. Please choose another one.", {
      field: "password",
    });
  refuseCommon(password);
  refuseOwn(password, user);
  await ctx.limits.take("access", user.id);
  const passwordHash = await hashPassword(password);
  const tell = await ctx.database.write(async (tx) => {
    // Two at once: the second knows a password that is none any more.
    if ((await queries.userById(tx, user.id))?.passwordHash !== user.passwordHash)
      throw new AppError("conflict", "Your password was changed in the meantime. Please enter the new one.", {
        field: "current",
      });
    await queries.updateUser(tx, user.id, { passwordHash });
    await revokeMailLinks(tx, user.id);
    await forgetOtherBrowsers(tx, ctx);
    await reportAccessChange(tx, ctx, user, "Your password was changed");
    return endOtherSessions(tx, ctx, user.id);
  });
  tell();
  return { message: "Password changed. You’ve been signed out everywhere else." };
}
