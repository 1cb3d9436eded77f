import type { z } from "zod";
import { staffLimits } from "../../shared/staff-limits.ts";
import { AppError } from "../../shared/errors.ts";
import type {
  SignupSettings,
  Invite,
  SetQuestion,
  SetSignUp,
  Withdraw,
} from "../../shared/administration.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { MemberContext } from "../context.ts";
import { newSecret } from "../runtime/ids.ts";
import { peopleTopic } from "../live/signals.ts";
import {
  deleteInvitation,
  insertInvitation,
  listInvitations,
  setSignUpMode,
  setSignUpQuestion,
  signUpMode,
  signUpQuestion,
} from "../sign-in/sign-up-policy-queries.ts";
import { listSignupBlocks } from "../sign-in/sign-up-block-queries.ts";
import { requireAdmin } from "../moderation/access.ts";
import { logSiteAction } from "../moderation/log.ts";

const day = 24 * 60 * 60 * 1_000;
const maxInvitations = 200;

export async function signupSettings(ctx: MemberContext): Promise<SignupSettings> {
  const { read } = ctx.database;
  await requireAdmin(read, ctx.viewer);
  const rows = await listInvitations(read, maxInvitations);
  return {
    mode: await signUpMode(read),
    question: await signUpQuestion(read),
    blocks: (await listSignupBlocks(read, staffLimits.signupBlocks.most)).map(({ value }) => value),
    invitations: rows.map(({ code, places, used, expiresAt }) => ({
      code,
      address: ctx.config.publicUrl + sentRoutes.signUp(code),
      places,
      used,
      expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    })),
  };
}

export async function setSignUp(
  ctx: MemberContext,
  { mode }: z.output<typeof SetSignUp>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    if ((await signUpMode(tx)) === mode) return;
    await setSignUpMode(tx, mode);
    await logSiteAction(tx, actor, "sign-up", mode);
    // Guests' cached pages say who can join.
    tx.signal(peopleTopic);
  });
  return {
    message: {
      open: "Anyone can sign up.",
      approval: "Anyone can sign up; moderators approve each account.",
      invitation: "Only people with an invitation can sign up.",
      closed: "Sign-up is closed.",
    }[mode],
  };
}

export async function invite(
  ctx: MemberContext,
  { places, days }: z.output<typeof Invite>,
): Promise<{ message: string; address: string }> {
  const code = newSecret().slice(0, 22);
  const now = Date.now();
  await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    if ((await listInvitations(tx, maxInvitations)).length === maxInvitations)
      throw new AppError("conflict", `There are already ${maxInvitations} links. Delete some first.`);
    const expiresAt = days === null ? null : now + days * day;
    await insertInvitation(tx, { code, places, createdAt: now, expiresAt });
    await logSiteAction(tx, actor, "invite", String(places));
  });
  return { message: "Link created.", address: ctx.config.publicUrl + sentRoutes.signUp(code) };
}

export async function withdraw(
  ctx: MemberContext,
  { code }: z.output<typeof Withdraw>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    if (!(await deleteInvitation(tx, code))) return;
    await logSiteAction(tx, actor, "withdraw", "");
    tx.signal(peopleTopic);
  });
  return { message: "Link deleted." };
}

/** Sets the sign-up form's question for when accounts need approval. */
export const setQuestion = (
  ctx: MemberContext,
  { question }: z.output<typeof SetQuestion>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    if (question !== (await signUpQuestion(tx))) {
      await setSignUpQuestion(tx, question);
      await logSiteAction(tx, actor, "question", question);
      tx.signal(peopleTopic);
    }
    return { message: "Question saved." };
  });
