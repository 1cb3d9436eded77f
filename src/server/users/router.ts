import { z } from "zod";
import {
  Code,
  Email,
  EmailChange,
  ForgotPassword,
  NewPasskey,
  OwnPassword,
  PasskeyRemoval,
  PasskeySignIn,
  PasskeyStep,
  PasswordChange,
  ProfileUpdate,
  ResetPassword,
  SessionHandle,
  SignIn,
  SignUp,
  Token,
} from "../../shared/users.ts";
import { AppError } from "../../shared/errors.ts";
import { LookUpNames } from "../../shared/mentions.ts";
import { TextAsked } from "../../shared/site.ts";
import { anyone, member } from "../trpc.ts";
import { beginSignUp, resendVerification, signUp, verifyEmail } from "./accounts.ts";
import { changeEmail, followEmailLink } from "./email.ts";
import { changePassword } from "./own-account.ts";
import { forgotPassword, resetPassword } from "./reset.ts";
import { signIn, type SignedIn } from "./sign-in.ts";
import { finishGoogle } from "./google-account.ts";
import { ownFeed, renewOwnFeed } from "./own-feed.ts";
import { addPasskey, beginPasskey, passkeyOptions, removePasskey, signInWithPasskey } from "./passkeys.ts";
import { accessFacts, beginApp, confirmApp, renewCodes, setPasskeyStep, turnAppOff } from "./second-step.ts";
import { updateProfile } from "./profile.ts";
import { openSessions, revokeOtherSessions, revokeSession } from "./sessions.ts";
import { lookUpNames, profile, whoAmI } from "./service.ts";
import { siteFacts } from "./site.ts";
import { sawTexts, siteText } from "./texts.ts";

/** The token stays in the cookie: a page's script never holds it. */
async function withoutToken(answer: Promise<SignedIn>): Promise<Omit<SignedIn, "token">> {
  const { viewer, message } = await answer;
  return { viewer, message };
}

export const userProcedures = {
  site: anyone.query(({ ctx }) => siteFacts(ctx)),
  siteText: anyone.input(TextAsked).query(({ ctx, input }) => siteText(ctx, input)),
  sawTexts: member.mutation(({ ctx }) => sawTexts(ctx)),
  me: anyone.query(({ ctx }) => whoAmI(ctx)),
  profile: anyone
    .input(z.strictObject({ username: z.string().min(1).max(100) }))
    .query(({ ctx, input }) => profile(ctx, input)),
  named: anyone
    .meta({ costly: true })
    .input(LookUpNames)
    .query(({ ctx, input }) => lookUpNames(ctx, input)),
  beginSignUp: anyone.mutation(({ ctx }) => beginSignUp(ctx)),
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
  signIn: anyone.input(SignIn).mutation(({ ctx, input }) => withoutToken(signIn(ctx, input))),
  finishGoogle: anyone.input(Code).mutation(({ ctx, input }) => withoutToken(finishGoogle(ctx, input))),
  passkeyOptions: anyone.mutation(({ ctx }) => passkeyOptions(ctx)),
  signInWithPasskey: anyone
    .input(PasskeySignIn)
    .mutation(({ ctx, input }) => withoutToken(signInWithPasskey(ctx, input))),
  access: member.query(({ ctx }) => accessFacts(ctx)),
  ownFeed: member.query(({ ctx }) => ownFeed(ctx)),
  renewOwnFeed: member.mutation(({ ctx }) => renewOwnFeed(ctx)),
  beginApp: member.input(OwnPassword).mutation(({ ctx, input }) => beginApp(ctx, input)),
  confirmApp: member.input(Code).mutation(({ ctx, input }) => confirmApp(ctx, input)),
  turnAppOff: member.input(OwnPassword).mutation(({ ctx, input }) => turnAppOff(ctx, input)),
  renewCodes: member.input(OwnPassword).mutation(({ ctx, input }) => renewCodes(ctx, input)),
  setPasskeyStep: member.input(PasskeyStep).mutation(({ ctx, input }) => setPasskeyStep(ctx, input)),
  beginPasskey: member.input(OwnPassword).mutation(({ ctx, input }) => beginPasskey(ctx, input)),
  addPasskey: member.input(NewPasskey).mutation(({ ctx, input }) => addPasskey(ctx, input)),
  removePasskey: member.input(PasskeyRemoval).mutation(({ ctx, input }) => removePasskey(ctx, input)),
  changePassword: member.input(PasswordChange).mutation(({ ctx, input }) => changePassword(ctx, input)),
  changeEmail: member.input(EmailChange).mutation(({ ctx, input }) => changeEmail(ctx, input)),
  followEmailLink: anyone.input(Token).mutation(({ ctx, input }) => followEmailLink(ctx, input)),
  updateProfile: member.input(ProfileUpdate).mutation(({ ctx, input }) => updateProfile(ctx, input)),
  signOut: anyone.mutation(async ({ ctx }) => {
    if (ctx.transport !== "http") throw new AppError("bad_request", "Sign out over HTTP.");
    if (ctx.viewer && ctx.session) await ctx.sessions.endByHandle(ctx.viewer.id, ctx.session.handle);
    ctx.setCookie(ctx.sessions.blankCookie);
    return { message: "You’re signed out." };
  }),
};
