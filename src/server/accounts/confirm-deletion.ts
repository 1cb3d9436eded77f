import { AppError } from "../../shared/errors.ts";
import { verifyOwnPassword } from "../auth/own-password.ts";
import type { Context, MemberContext } from "../context.ts";
import { emails } from "../mail/email-texts.ts";
import { issueToken, ownerOfLink, requireAddress, sendMail } from "../sign-in/mail-links.ts";
import { userById } from "../profiles/queries.ts";
import { deleteAccount } from "./delete-account.ts";

/** Deletes the account after checking its password. Throws `forbidden` if it is wrong. */
export async function deleteOwnAccount(
  ctx: MemberContext,
  { password }: { password: string },
): Promise<{ message: string }> {
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account no longer exists.");
  if (user.passwordHash === null)
    throw new AppError(
      "bad_request",
      "This account has no password. Please request a deletion link by email.",
      { field: "password" },
    );
  await verifyOwnPassword(ctx, user, password);
  return deleteAccount(ctx);
}

/** Emails a deletion link, for viewers without a password or who forgot it. */
export async function sendDeletionLink(ctx: MemberContext): Promise<{ message: string }> {
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account no longer exists.");
  const isSent = await sendMail(ctx, "delete", user.email, async (tx) => {
    await requireAddress(tx, user);
    return emails.remove(ctx.config, user, await issueToken(tx, user.id, "delete"));
  });
  if (!isSent)
    throw new AppError("too_many", "We’ve already sent you several emails. Please open the latest one.", {
      retryAfter: 3600,
    });
  return { message: `We sent a link to ${user.email}. Open it to delete your account.` };
}

/** Deletes the account of an emailed link. Throws `forbidden` for the viewer of another account. */
export async function deleteByLink(ctx: Context, { token }: { token: string }): Promise<{ message: string }> {
  const user = await ownerOfLink(
    ctx,
    token,
    "delete",
    "If the account still exists, sign in and request a new link in Settings.",
  );
  if (ctx.viewer && ctx.viewer.id !== user.id)
    throw new AppError(
      "forbidden",
      "This link belongs to another account. Please log out and open it again.",
    );
  return deleteAccount({ ...ctx, viewer: { id: user.id, isAdmin: user.isAdmin } });
}
