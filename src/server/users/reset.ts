import { deleteSessionsOf } from "../auth/queries.ts";
import { hashPassword, refuseCommon, refuseOwn } from "../auth/passwords.ts";
import { pairOf } from "../auth/limits.ts";
import type { Context } from "../context.ts";
import { hashSecret } from "../ids.ts";
import { emails } from "../mail/emails.ts";
import { completeSignup } from "./signup-approval.ts";
import { forgetBrowsers } from "./browser-queries.ts";
import { keepBrowser } from "./browsers.ts";
import {
  issueToken,
  ownerOfLink,
  requireAddress,
  sendMail,
  sendNothing,
  revokeMailLinks,
  wrongLink,
} from "./mail-links.ts";
import * as queries from "./queries.ts";

/** Sends a link to choose a new password. The same answer, whatever the case. */
export async function forgotPassword(ctx: Context, input: { email: string }): Promise<{ message: string }> {
  await ctx.limits.take("forgotPassword", ctx.address);
  const user = await queries.userByEmail(ctx.database.read, input.email);
  if (user)
    await sendMail(ctx, "reset", user.email, async (tx) => {
      await requireAddress(tx, user);
      return emails.reset(ctx.config, user, await issueToken(tx, user.id, "reset"));
    });
  else await sendNothing(ctx);
  return { message: "If there’s an account with that address, we sent it a link to choose a new password." };
}

/**
 * Sets a new password by the token of the mail, which also shows that the address is theirs. Every session ends, and every
 * browser is forgotten but the one that asks: that one, and who asks from this address, may sign in whatever strangers try.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; password: string },
): Promise<{ message: string }> {
  const advice = "Please ask for a new one.";
  const owner = await ownerOfLink(ctx, input.token, "reset", advice);
  refuseCommon(input.password);
  refuseOwn(input.password, owner);
  const passwordHash = await hashPassword(input.password);
  const { ended, cookie } = await ctx.database.write(async (tx) => {
    const token = await queries.takeMailToken(tx, hashSecret(input.token), "reset", Date.now());
    if (!token) throw wrongLink(advice);
    const user = await queries.userById(tx, token.userId);
    const signUp = await queries.newestSignUp(tx, token.userId);
    // A link of a sign-up, which may be a stranger's, would set that sign-up's password in place of this one; others may be in
    // the hands that the password is taken from.
    await revokeMailLinks(tx, token.userId);
    await queries.updateUser(tx, token.userId, { passwordHash });
    // The link showed whose address it is, as that of a sign-up would have; it lets nobody past the moderators.
    if (user) await completeSignup(tx, user, signUp ? signUp.answer : "");
    await forgetBrowsers(tx, token.userId, "");
    return {
      ended: await deleteSessionsOf(tx, token.userId),
      cookie: await keepBrowser(tx, ctx, token.userId),
    };
  });
  ctx.sessions.closed(ended);
  if (cookie) ctx.setCookie(cookie);
  ctx.limits.letThrough(pairOf(ctx.address, owner.email));
  return { message: "Password changed. You can sign in now." };
}
