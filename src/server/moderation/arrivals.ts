import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type {
  Applications,
  OfPerson,
  RefusePerson,
  RefuseSender,
  SetQuestion,
  StaffList,
} from "../../shared/moderation.ts";
import { isBeyond } from "../../shared/paging.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { peopleTopic } from "../live/facts.ts";
import { letters } from "../mail/letters.ts";
import { post } from "../mail/post.ts";
import { setSignUpQuestion, signUpQuestion } from "../users/admission-queries.ts";
import {
  countApplications,
  deleteApplication,
  findApplication,
  listApplications,
} from "../users/application-queries.ts";
import { letIn } from "../users/arrival.ts";
import { deleteUser, userById, type UserRow } from "../users/queries.ts";
import { deleteSender, insertSender, listSenders } from "../users/sender-queries.ts";
import { readSender } from "../users/senders.ts";
import { asAdmin, asStaff, gone } from "./access.ts";
import { note, noteOfSite, type Actor } from "./log.ts";

/** Who waits to be let in, whoever has waited longest first. The address is for administrators alone. */
export async function applications(
  ctx: MemberContext,
  { page }: z.output<typeof StaffList>,
): Promise<Applications> {
  const { read } = ctx.database;
  const me = await asStaff(read, ctx.viewer);
  const { page: size } = staffLimits.reports;
  const rows = isBeyond(page, size) ? [] : await listApplications(read, size + 1, (page - 1) * size);
  return {
    waiting: await countApplications(read),
    people: rows.slice(0, size).map(({ id, name, email, googleId, answer, waitsSince }) => ({
      id,
      name,
      email: me.isAdmin ? email : null,
      byGoogle: googleId !== null,
      answer,
      since: new Date(waitsSince).toISOString(),
    })),
    page,
    hasMore: rows.length > size,
  };
}

/** Lets somebody in who waits, and writes to them. */
export const admitPerson = (
  ctx: MemberContext,
  { userId }: z.output<typeof OfPerson>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await asStaff(tx, ctx.viewer);
    const user = await takeFromQueue(tx, userId);
    await letIn(tx, userId);
    await post(tx, letters.letIn(ctx.config, user));
    await note(tx, actor, "let-in", { kind: "profile", id: userId });
    return { message: `${user.name} is let in, and told so by mail.` };
  });

/** Sends somebody away who waits: they are told why by mail, and nothing of them is kept. */
export const refusePerson = (
  ctx: MemberContext,
  { userId, reason }: z.output<typeof RefusePerson>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await asStaff(tx, ctx.viewer);
    const user = await takeFromQueue(tx, userId);
    await post(tx, letters.refused(ctx.config, user, reason));
    await note(tx, actor, "refuse", { kind: "profile", id: userId }, reason);
    await deleteUser(tx, userId);
    return { message: `${user.name} is told by mail. Nothing of the account is kept.` };
  });

async function takeFromQueue(tx: Transaction, userId: string): Promise<UserRow> {
  const user = await userById(tx, userId);
  if (!user || !(await findApplication(tx, userId)))
    throw new AppError("conflict", "Another moderator has answered already.");
  await deleteApplication(tx, userId);
  return user;
}

/** What whoever signs up is asked where new people wait for moderators. */
export const setQuestion = (
  ctx: MemberContext,
  { question }: z.output<typeof SetQuestion>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    if (question !== (await signUpQuestion(tx))) {
      await setSignUpQuestion(tx, question);
      await noteOfSite(tx, actor, "question", question);
      tx.ring(peopleTopic);
    }
    return { message: "The question is kept." };
  });

/** Refuses a mail domain, an address or a network at sign-ups, or lets it in again. */
export const refuseSender = (
  ctx: MemberContext,
  { sender, refused }: z.output<typeof RefuseSender>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    const value = await changeSender(tx, actor, sender, refused);
    return { message: refused ? `Nobody new joins from ${value}.` : `${value} is let in again.` };
  });

/** The same by whoever runs the site. Throws `bad_request` where it is neither. */
export async function changeSender(
  tx: Transaction,
  actor: Actor,
  sender: string,
  refused: boolean,
): Promise<string> {
  const known = readSender(sender);
  if (!known)
    throw new AppError(
      "bad_request",
      "Please enter a mail domain like example.org, or an address or network like 192.0.2.0/24.",
      { field: "sender" },
    );
  const { most } = staffLimits.refusedSenders;
  if (refused && (await listSenders(tx, most)).length === most)
    throw new AppError("conflict", `There are ${most} entries already. Please take some away first.`);
  const row = { ...known, author: actor.username, createdAt: Date.now() };
  const isNews = refused
    ? await insertSender(tx, row)
    : // As it was written, too: older versions kept it so.
      (await deleteSender(tx, known)) ||
      (await deleteSender(tx, { ...known, value: sender.trim().toLowerCase() }));
  if (isNews) await noteOfSite(tx, actor, refused ? "refuse-sender" : "admit-sender", known.value);
  if (!isNews && !refused) throw gone();
  return known.value;
}
