import { z } from "zod";
import {
  Email,
  EmailChange,
  ForgotPassword,
  PasswordChange,
  ProfileUpdate,
  ResetPassword,
  SessionHandle,
  SignIn,
  SignUp,
  Token,
} from "../../shared/users.ts";
import { AppError } from "../../shared/errors.ts";
import { anyone, member } from "../trpc.ts";
import { resendVerification, signUp, verifyEmail } from "./accounts.ts";
import { changeEmail, followEmailLink } from "./email.ts";
import { changePassword } from "./own-account.ts";
import { forgotPassword, resetPassword } from "./reset.ts";
import { signIn } from "./sign-in.ts";
import { updateProfile } from "./profile.ts";
import { openSessions, revokeOtherSessions, revokeSession } from "./sessions.ts";
import { profile, siteFacts, whoAmI } from "./service.ts";

export const userProcedures = {
  site: anyone.query(({ ctx }) => siteFacts(ctx)),
  me: anyone.query(({ ctx }) => whoAmI(ctx)),
  profile: anyone
    .input(z.strictObject({ username: z.string().min(1).max(100) }))
    .query(({ ctx, input }) => profile(ctx, input)),
  signUp: anyone.input(SignUp).mutation(({ ctx, input }) => signUp(ctx, input)),
  verifyEmail: anyone.input(Token).mutation(({ ctx, input }) => verifyEmail(ctx, input)),
  resendVerification: anyone
    .input(z.strictObject({ email: Email }))
    .mutation(({ ctx, input }) => resendVerification(ctx, input)),
  forgotPassword: anyone.input(ForgotPassword).mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  resetPassword: anyone.input(ResetPassword).mutation(({ ctx, input }) => resetPassword(ctx, input)),
  sessions: member.query(({ ctx }) => openSessions(ctx)),
  revokeSession: member.input(SessionHandle).mutation(({ ctx, input }) => revokeSession(ctx, input)),
  revokeOtherSessions: member.mutation(({ ctx }) => revokeOtherSessions(ctx)),
  signIn: anyone.input(SignIn).mutation(async ({ ctx, input }) => {
    // The token stays in the cookie: a page's script never holds it.
    const { viewer, message } = await signIn(ctx, input);
    return { viewer, message };
  }),
  changePassword: member.input(PasswordChange).mutation(({ ctx, input }) => changePassword(ctx, input)),
  changeEmail: member.input(EmailChange).mutation(({ ctx, input }) => changeEmail(ctx, input)),
  followEmailLink: anyone.input(Token).mutation(({ ctx, input }) => followEmailLink(ctx, input)),
  updateProfile: member.input(ProfileUpdate).mutation(({ ctx, input }) => updateProfile(ctx, input)),
  signOut: anyone.mutation(async ({ ctx }) => {
    if (ctx.transport !== "http") throw new AppError("bad_request", "Sign out over HTTP.");
    if (ctx.viewer && ctx.session) await ctx.sessions.endByHandle(ctx.viewer.id, ctx.session.handle);
    ctx.setCookie(ctx.sessions.blankCookie);
    return { message: "You are signed out." };
  }),
};
