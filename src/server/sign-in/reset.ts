import { hashPassword, rejectCommonPassword, rejectPersonalPassword } from "../auth/passwords.ts";
import { pairKey } from "../auth/rate-limits.ts";
import type { Context } from "../context.ts";
import { hashSecret } from "../runtime/ids.ts";
import { emails } from "../mail/email-texts.ts";
import { completeSignup, unknownGrounds } from "./sign-up-approval.ts";
import { endSessions } from "./end-sessions.ts";
import { rememberBrowser } from "./known-browsers.ts";
import {
  issueToken,
  ownerOfLink,
  requireAddress,
  sendMail,
  sendNoMail,
  invalidLinkError,
} from "./mail-links.ts";
import * as queries from "../profiles/queries.ts";

/** Emails a link for a new password. The response is always the same. */
export async function forgotPassword(ctx: Context, input: { email: string }): Promise<{ message: string }> {
  await ctx.limits.take("forgotPassword", ctx.address);
  const user = await queries.userByEmail(ctx.database.read, input.email);
  if (user)
    await sendMail(ctx, "reset", user.email, async (tx) => {
      await requireAddress(tx, user);
      return emails.reset(ctx.config, user, await issueToken(tx, user.id, "reset"));
    });
  else await sendNoMail(ctx);
  return { message: "If there’s an account with that address, we sent it a link to choose a new password." };
}

/**
 * Sets a new password by an emailed token. Ends every session and forgets all browsers but this one: it and this address can
 * sign in whatever strangers try.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; password: string },
): Promise<{ message: string }> {
  const advice = "Please ask for a new one.";
  const owner = await ownerOfLink(ctx, input.token, "reset", advice);
  rejectCommonPassword(input.password);
  rejectPersonalPassword(input.password, owner);
  const passwordHash = await hashPassword(input.password);
  const cookie = await ctx.database.write(async (tx) => {
    const token = await queries.takeMailToken(tx, hashSecret(input.token), "reset", Date.now());
    if (!token) throw invalidLinkError(advice);
    const user = await queries.userById(tx, token.userId);
    const signUp = await queries.newestSignUp(tx, token.userId);
    // Also a stranger's sign-up link, which would replace this password.
    await endSessions(tx, token.userId);
    await queries.updateUser(tx, token.userId, { passwordHash });
    // The link confirms the address like a sign-up's, but does not bypass approval.
    if (user) await completeSignup(tx, ctx.config, user, signUp ?? unknownGrounds);
    return rememberBrowser(tx, ctx, token.userId);
  });
  if (cookie) ctx.setCookie(cookie);
  await ctx.limits.exempt(pairKey(ctx.address, owner.email));
  return { message: "Password changed. You can sign in now." };
}
