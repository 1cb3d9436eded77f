import type { z } from "zod";
import { staffLimits } from "../../shared/staff-limits.ts";
import { AppError } from "../../shared/errors.ts";
import type { Admission, Invite, SetSignUp, Withdraw } from "../../shared/moderation.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { MemberContext } from "../context.ts";
import { newSecret } from "../ids.ts";
import { peopleTopic } from "../live/facts.ts";
import {
  deleteInvitation,
  insertInvitation,
  listInvitations,
  setSignUpMode,
  signUpMode,
  signUpQuestion,
} from "../users/admission-queries.ts";
import { listSenders } from "../users/sender-queries.ts";
import { asAdmin } from "./access.ts";
import { noteOfSite } from "./log.ts";

const day = 24 * 60 * 60 * 1_000;
/** As many as are listed. */
const most = 200;

/** Who may sign up, and the links to do it by, the newest first. */
export async function admission(ctx: MemberContext): Promise<Admission> {
  const { read } = ctx.database;
  await asAdmin(read, ctx.viewer);
  const rows = await listInvitations(read, most);
  return {
    mode: await signUpMode(read),
    question: await signUpQuestion(read),
    refused: (await listSenders(read, staffLimits.refusedSenders.most)).map(({ value }) => value),
    invitations: rows.map(({ code, places, used, expiresAt }) => ({
      code,
      address: ctx.config.publicUrl + sentRoutes.signUp(code),
      places,
      used,
      expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    })),
  };
}

/** Opens the site to new accounts, or shuts it; those there are stay. */
export async function setSignUp(
  ctx: MemberContext,
  { mode }: z.output<typeof SetSignUp>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    if ((await signUpMode(tx)) === mode) return;
    await setSignUpMode(tx, mode);
    await noteOfSite(tx, actor, "sign-up", mode);
    // Pages that guests are sent from memory say who may join.
    tx.ring(peopleTopic);
  });
  return {
    message: {
      open: "Everybody may sign up.",
      approval: "Everybody may sign up, and waits until they are let in.",
      invitation: "Whoever has a link may sign up.",
      closed: "Nobody may sign up.",
    }[mode],
  };
}

/** Makes a link to join by. */
export async function invite(
  ctx: MemberContext,
  { places, days }: z.output<typeof Invite>,
): Promise<{ message: string; address: string }> {
  const code = newSecret().slice(0, 22);
  const now = Date.now();
  await ctx.database.write(async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    if ((await listInvitations(tx, most)).length === most)
      throw new AppError("conflict", `There are ${most} links already. Please withdraw some first.`);
    const expiresAt = days === null ? null : now + days * day;
    await insertInvitation(tx, { code, places, createdAt: now, expiresAt });
    await noteOfSite(tx, actor, "invite", String(places));
  });
  return { message: "The link is ready.", address: ctx.config.publicUrl + sentRoutes.signUp(code) };
}

/** A link that nobody joins by any more. */
export async function withdraw(
  ctx: MemberContext,
  { code }: z.output<typeof Withdraw>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    if (await deleteInvitation(tx, code)) await noteOfSite(tx, actor, "withdraw", "");
  });
  return { message: "Nobody can join by that link any more." };
}
