import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import {
  Code,
  Email,
  ForgotPassword,
  NewPasskey,
  OwnPassword,
  PasskeyRemoval,
  PasskeySignIn,
  PasskeyStep,
  ResetPassword,
  SetUp,
  SignIn,
  SignUp,
  Token,
} from "../../shared/users.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { finishGoogle } from "./google-account.ts";
import { addPasskey, beginPasskey, passkeyOptions, removePasskey, signInWithPasskey } from "./passkeys.ts";
import { forgotPassword, resetPassword } from "./reset.ts";
import { accessFacts, beginApp, confirmApp, renewCodes, setPasskeyStep, turnAppOff } from "./second-step.ts";
import { needsSetUp, setUp } from "./set-up.ts";
import { signIn, type SignedIn } from "./sign-in.ts";
import { beginSignUp, resendVerification, signUp, verifyEmail } from "./sign-up.ts";
import { invitationState } from "./sign-up-policy.ts";

/** The token stays in the cookie, hidden from scripts. */
async function withoutToken(answer: Promise<SignedIn>): Promise<Omit<SignedIn, "token">> {
  const { viewer, message } = await answer;
  return { viewer, message };
}

export const signInProcedures = {
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
  signOut: publicProcedure.mutation(async ({ ctx }) => {
    if (ctx.transport !== "http") throw new AppError("bad_request", "Sign out over HTTP.");
    if (ctx.viewer && ctx.session) await ctx.sessions.endByHandle(ctx.viewer.id, ctx.session.handle);
    ctx.setCookie(ctx.sessions.blankCookie);
    return { message: "You’re signed out." };
  }),
};
