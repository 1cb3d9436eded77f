import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { AddNote, DeletePerson, OfPerson, RemoveNote, StaffNote } from "../../shared/moderation.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { newId } from "../ids.ts";
import { userTopic } from "../live/stored-events.ts";
import { emails } from "../mail/emails.ts";
import { deleteAccount } from "../social/delete-account.ts";
import { issueToken, requireAddress, sendMail } from "../users/mail-links.ts";
import { confirmAddress } from "../users/manage.ts";
import { updateUser, type UserRow } from "../users/queries.ts";
import { aboutThem, against, asAdmin, asStaff, gone } from "./access.ts";
import { note, type Actor } from "./log.ts";
import * as queries from "./note-queries.ts";

type Of = z.output<typeof OfPerson>;
const profile = (id: string) => ({ kind: "profile" as const, id });

/** Takes an address as confirmed, for somebody whom no mail reaches. */
export const verifyPerson = (ctx: MemberContext, { userId }: Of): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    const user = await against(tx, actor, userId);
    if (await confirmAddress(tx, user)) await note(tx, actor, "verify", profile(userId));
    return { message: `${user.name}’s email address is confirmed.` };
  });

/** Mails somebody a link to choose a new password, as they could themselves. */
export async function sendReset(ctx: MemberContext, { userId }: Of): Promise<{ message: string }> {
  const { read } = ctx.database;
  const user = await against(read, await asAdmin(read, ctx.viewer), userId);
  const isSent = await sendMail(ctx, "reset", user.email, async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    await against(tx, actor, userId);
    await requireAddress(tx, user);
    await note(tx, actor, "reset", profile(userId));
    return emails.reset(ctx.config, user, await issueToken(tx, userId, "reset"));
  });
  if (!isSent)
    throw new AppError("too_many", "Several emails were already sent there. Please try again in an hour.", {
      retryAfter: 3600,
    });
  return { message: `We sent a link to choose a new password to ${user.email}.` };
}

/** Makes somebody an administrator, for good: only the command line takes that back. */
export const makeAdmin = (ctx: MemberContext, { userId }: Of): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    const user = await against(tx, actor, userId);
    if (user.verifiedAt === null || user.suspendedAt !== null)
      throw new AppError("conflict", "Only someone who can sign in can be an administrator.");
    // Nobody acts against an administrator: it would never end.
    if (user.limitedAt !== null) throw new AppError("conflict", "Please remove the limit first.");
    await updateUser(tx, userId, { isAdmin: true });
    await tx.emit(userTopic(userId), { kind: "viewer.profileChanged" });
    await note(tx, actor, "administrator", profile(userId));
    return { message: `${user.name} is an administrator now.` };
  });

/** Deletes an account with everything of it, for whoever typed whose it is. */
export async function deletePerson(
  ctx: MemberContext,
  { userId, username }: z.output<typeof DeletePerson>,
): Promise<{ message: string }> {
  const { read } = ctx.database;
  const user = await against(read, await asAdmin(read, ctx.viewer), userId);
  if (username.trim().toLowerCase().replace(/^@/, "") !== user.username)
    throw new AppError("bad_request", `Please type ${user.username}.`, { field: "username" });
  const viewer = { id: userId, isAdmin: false };
  // What it says to the browser is for theirs, and not for the administrator's.
  const asThem: MemberContext = { ...ctx, viewer, session: null, browser: null, setCookie: () => undefined };
  await deleteAccount(asThem, async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    await against(tx, actor, userId);
    await note(tx, actor, "delete", profile(userId));
  });
  return { message: `${user.name} is deleted, with everything of theirs.` };
}

/** What moderators told each other about somebody, the newest first. */
export async function notesOf(ctx: MemberContext, { userId }: Of): Promise<{ notes: StaffNote[] }> {
  const { read } = ctx.database;
  const me = await asStaff(read, ctx.viewer);
  await aboutThem(read, me, userId);
  const rows = await queries.listNotes(read, userId, staffLimits.notes.most);
  return {
    notes: rows.map(({ id, author, authorId, words, createdAt }) => {
      const own = me.isAdmin || authorId === me.id;
      return { id, author, words, at: new Date(createdAt).toISOString(), own };
    }),
  };
}

export const addNote = (
  ctx: MemberContext,
  { userId, words }: z.output<typeof AddNote>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await asStaff(tx, ctx.viewer);
    await writeNote(tx, actor, await aboutThem(tx, actor, userId), words);
    return { message: "Note saved." };
  });

/** Keeps a note about somebody; the log says that there is one, and not what it says. */
export async function writeNote(tx: Transaction, actor: Actor, user: UserRow, words: string): Promise<void> {
  const { most } = staffLimits.notes;
  if ((await queries.listNotes(tx, user.id, most)).length === most)
    throw new AppError("conflict", `There are already ${most} notes. Delete some first.`);
  await queries.insertNote(tx, {
    id: newId(),
    userId: user.id,
    author: actor.username,
    authorId: actor.id || null,
    words,
    createdAt: Date.now(),
  });
  await note(tx, actor, "note", profile(user.id));
}

/** Deletes a note: one's own, or as an administrator anybody's. */
export const removeNote = (
  ctx: MemberContext,
  { noteId }: z.output<typeof RemoveNote>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await asStaff(tx, ctx.viewer);
    const found = await queries.noteById(tx, noteId);
    if (!found) throw gone();
    if (!actor.isAdmin && found.authorId !== actor.id)
      throw new AppError("forbidden", "Another moderator wrote this note.");
    await queries.deleteNote(tx, noteId);
    await note(tx, actor, "unnote", profile(found.userId));
    return { message: "Note deleted." };
  });
