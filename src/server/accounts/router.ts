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
  SetUp,
  ShowFeed,
  SignIn,
  SignUp,
  Token,
} from "../../shared/users.ts";
import { AppError } from "../../shared/errors.ts";
import { LookUpNames } from "../../shared/mentions.ts";
import { BrowserPushSubscription } from "../../shared/push.ts";
import { Search } from "../../shared/search.ts";
import { searchPeople } from "../profiles/search.ts";
import { ReadSiteText } from "../../shared/site.ts";
import { authedProcedure, publicProcedure, router } from "../http/trpc.ts";
import { beginSignUp, resendVerification, signUp, verifyEmail } from "../signup/sign-up.ts";
import { invitationState } from "../signup/signup-policy.ts";
import { changeEmail, followEmailLink } from "./change-email.ts";
import { changePassword } from "./own-account.ts";
import { forgotPassword, resetPassword } from "./reset.ts";
import { signIn, type SignedIn } from "./sign-in.ts";
import { finishGoogle } from "./google-account.ts";
import { ownFeed } from "./personal-feed.ts";
import { addPasskey, beginPasskey, passkeyOptions, removePasskey, signInWithPasskey } from "./passkeys.ts";
import { accessFacts, beginApp, confirmApp, renewCodes, setPasskeyStep, turnAppOff } from "./second-step.ts";
import { needsSetUp, setUp } from "./set-up.ts";
import { offeredInterests } from "../site/queries.ts";
import { updateProfile } from "../profiles/edit-profile.ts";
import { pushState, subscribe, unsubscribe } from "./push-subscriptions.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "./sessions.ts";
import { lookUpNames, profile, whoAmI } from "../profiles/service.ts";
import { siteFacts } from "./site-info.ts";
import { markTextsSeen, siteText } from "./site-texts.ts";

/** The token stays in the cookie, hidden from scripts. */
async function withoutToken(answer: Promise<SignedIn>): Promise<Omit<SignedIn, "token">> {
  const { viewer, message } = await answer;
  return { viewer, message };
}

export const userProcedures = {
  site: publicProcedure.query(({ ctx }) => siteFacts(ctx)),
  interestGroups: publicProcedure.query(({ ctx }) => offeredInterests(ctx.database.read)),
  siteText: publicProcedure.input(ReadSiteText).query(({ ctx, input }) => siteText(ctx, input)),
  sawTexts: authedProcedure.mutation(({ ctx }) => markTextsSeen(ctx)),
  me: publicProcedure.query(({ ctx }) => whoAmI(ctx)),
  profile: publicProcedure
    .input(z.strictObject({ username: z.string().min(1).max(100) }))
    .query(({ ctx, input }) => profile(ctx, input)),
  search: publicProcedure
    .meta({ costly: true, waits: true })
    .input(Search)
    .query(({ ctx, input }) => searchPeople(ctx, input)),
  named: publicProcedure
    .meta({ costly: true })
    .input(LookUpNames)
    .query(({ ctx, input }) => lookUpNames(ctx, input)),
  invitation: publicProcedure
    .input(z.strictObject({ code: z.string().max(100) }))
    .query(async ({ ctx, input }) => ({ state: await invitationState(ctx.database.read, input.code) })),
  beginSignUp: publicProcedure.mutation(({ ctx }) => beginSignUp(ctx)),
  signUp: publicProcedure.input(SignUp).mutation(({ ctx, input }) => signUp(ctx, input)),
  verifyEmail: publicProcedure.input(Token).mutation(({ ctx, input }) => verifyEmail(ctx, input)),
  resendVerification: publicProcedure
    .input(z.strictObject({ email: Email }))
    .mutation(({ ctx, input }) => resendVerification(ctx, input)),
  forgotPassword: publicProcedure
    .input(ForgotPassword)
    .mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  resetPassword: publicProcedure.input(ResetPassword).mutation(({ ctx, input }) => resetPassword(ctx, input)),
  sessions: authedProcedure.query(({ ctx }) => listSessions(ctx)),
  revokeSession: authedProcedure.input(SessionHandle).mutation(({ ctx, input }) => revokeSession(ctx, input)),
  revokeOtherSessions: authedProcedure.mutation(({ ctx }) => revokeOtherSessions(ctx)),
  setUpState: publicProcedure.query(async ({ ctx }) => ({ needed: await needsSetUp(ctx) })),
  setUp: publicProcedure.input(SetUp).mutation(({ ctx, input }) => withoutToken(setUp(ctx, input))),
  signIn: publicProcedure.input(SignIn).mutation(({ ctx, input }) => withoutToken(signIn(ctx, input))),
  finishGoogle: publicProcedure
    .input(Code)
    .mutation(({ ctx, input }) => withoutToken(finishGoogle(ctx, input))),
  passkeyOptions: publicProcedure.mutation(({ ctx }) => passkeyOptions(ctx)),
  signInWithPasskey: publicProcedure
    .input(PasskeySignIn)
    .mutation(({ ctx, input }) => withoutToken(signInWithPasskey(ctx, input))),
  access: authedProcedure.query(({ ctx }) => accessFacts(ctx)),
  ownFeed: authedProcedure.input(ShowFeed).mutation(({ ctx, input }) => ownFeed(ctx, input)),
  beginApp: authedProcedure.input(OwnPassword).mutation(({ ctx, input }) => beginApp(ctx, input)),
  confirmApp: authedProcedure.input(Code).mutation(({ ctx, input }) => confirmApp(ctx, input)),
  turnAppOff: authedProcedure.input(OwnPassword).mutation(({ ctx, input }) => turnAppOff(ctx, input)),
  renewCodes: authedProcedure.input(OwnPassword).mutation(({ ctx, input }) => renewCodes(ctx, input)),
  setPasskeyStep: authedProcedure.input(PasskeyStep).mutation(({ ctx, input }) => setPasskeyStep(ctx, input)),
  beginPasskey: authedProcedure.input(OwnPassword).mutation(({ ctx, input }) => beginPasskey(ctx, input)),
  addPasskey: authedProcedure.input(NewPasskey).mutation(({ ctx, input }) => addPasskey(ctx, input)),
  removePasskey: authedProcedure
    .input(PasskeyRemoval)
    .mutation(({ ctx, input }) => removePasskey(ctx, input)),
  changePassword: authedProcedure
    .input(PasswordChange)
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
  changeEmail: authedProcedure.input(EmailChange).mutation(({ ctx, input }) => changeEmail(ctx, input)),
  followEmailLink: publicProcedure.input(Token).mutation(({ ctx, input }) => followEmailLink(ctx, input)),
  updateProfile: authedProcedure.input(ProfileUpdate).mutation(({ ctx, input }) => updateProfile(ctx, input)),
  signOut: publicProcedure.mutation(async ({ ctx }) => {
    if (ctx.transport !== "http") throw new AppError("bad_request", "Sign out over HTTP.");
    if (ctx.viewer && ctx.session) await ctx.sessions.endByHandle(ctx.viewer.id, ctx.session.handle);
    ctx.setCookie(ctx.sessions.blankCookie);
    return { message: "You’re signed out." };
  }),
};

export const pushRouter = router({
  state: authedProcedure.query(({ ctx }) => pushState(ctx)),
  subscribe: authedProcedure
    .input(BrowserPushSubscription)
    .mutation(({ ctx, input }) => subscribe(ctx, input)),
  unsubscribe: authedProcedure.mutation(({ ctx }) => unsubscribe(ctx)),
});
