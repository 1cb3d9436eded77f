import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type {
  AddNote,
  DeletePerson,
  PersonId,
  RemoveNote,
  StaffNote,
  SetWriter,
} from "../../shared/moderation.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../runtime/ids.ts";
import { emails } from "../mail/email-texts.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { issueToken, requireAddress, sendMail } from "../sign-in/mail-links.ts";
import { setAdmin } from "../accounts/operator-actions.ts";
import { approveSignup } from "../sign-in/sign-up-approval.ts";
import { deleteSignupRequest } from "../sign-in/sign-up-request-queries.ts";
import { requireNoteSubject, requireActionTarget, requireAdmin, requireStaff, notFound } from "./access.ts";
import { logAction } from "./log.ts";
import * as queries from "./queries.ts";
import { userTopic } from "../live/stored-events.ts";
import { deleteMailTokens, updateUser } from "../profiles/queries.ts";

type PersonInput = z.output<typeof PersonId>;
const profile = (id: string) => ({ kind: "profile" as const, id });

/** Confirms the address of a person whom no email reaches, and revokes its confirmation links. */
export const verifyPerson = (ctx: MemberContext, { userId }: PersonInput): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const user = await requireActionTarget(tx, actor, userId);
    if (user.verifiedAt === null) {
      await deleteMailTokens(tx, userId, "verify");
      await deleteSignupRequest(tx, userId);
      await approveSignup(tx, ctx.config, userId);
      await logAction(tx, actor, "verify", profile(userId));
    }
    return { message: `${user.name}’s email address is confirmed.` };
  });

/** Emails a person a link to choose a new password. */
export async function sendReset(ctx: MemberContext, { userId }: PersonInput): Promise<{ message: string }> {
  const { read } = ctx.database;
  const user = await requireActionTarget(read, await requireAdmin(read, ctx.viewer), userId);
  const isSent = await sendMail(ctx, "reset", user.email, async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    await requireActionTarget(tx, actor, userId);
    await requireAddress(tx, user);
    await logAction(tx, actor, "reset", profile(userId));
    return emails.reset(ctx.config, user, await issueToken(tx, userId, "reset"));
  });
  if (!isSent)
    throw new AppError("too_many", "Several emails were already sent there. Please try again in an hour.", {
      retryAfter: 3600,
    });
  return { message: `We sent a link to choose a new password to ${user.email}.` };
}

/** Makes a person an administrator; only the command line can undo it. */
export const makeAdmin = (ctx: MemberContext, { userId }: PersonInput): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const user = await requireActionTarget(tx, actor, userId);
    if (user.verifiedAt === null || user.suspendedAt !== null)
      throw new AppError("conflict", "Only someone who can sign in can be an administrator.");
    // It could never be removed from an administrator.
    if (user.limitedAt !== null) throw new AppError("conflict", "Please remove the limit first.");
    if (await setAdmin(tx, user, true)) await logAction(tx, actor, "administrator", profile(userId));
    return { message: `${user.name} is an administrator now.` };
  });

/** Deletes an account with its content, confirmed by its username. */
export async function deletePerson(
  ctx: MemberContext,
  { userId, username }: z.output<typeof DeletePerson>,
): Promise<{ message: string }> {
  const { read } = ctx.database;
  const user = await requireActionTarget(read, await requireAdmin(read, ctx.viewer), userId);
  if (username.trim().toLowerCase().replace(/^@/, "") !== user.username)
    throw new AppError("bad_request", `Please type ${user.username}.`, { field: "username" });
  const viewer = { id: userId, isAdmin: false };
  // Without the administrator's session and cookie, which the deletion would end.
  const asThem: MemberContext = { ...ctx, viewer, session: null, browser: null, setCookie: () => undefined };
  await deleteAccount(asThem, async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    await requireActionTarget(tx, actor, userId);
    await logAction(tx, actor, "delete", profile(userId));
  });
  return { message: `${user.name} is deleted, with everything of theirs.` };
}

export async function notesOf(ctx: MemberContext, { userId }: PersonInput): Promise<{ notes: StaffNote[] }> {
  const { read } = ctx.database;
  const me = await requireStaff(read, ctx.viewer);
  await requireNoteSubject(read, me, userId);
  const rows = await queries.listNotes(read, userId, staffLimits.notes.most);
  return {
    notes: rows.map(({ id, author, authorId, body, createdAt }) => {
      const isOwn = me.isAdmin || authorId === me.id;
      return { id, author, body, at: new Date(createdAt).toISOString(), own: isOwn };
    }),
  };
}

/** Stores a note. The audit log does not contain its text. */
export const addNote = (
  ctx: MemberContext,
  { userId, body }: z.output<typeof AddNote>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const user = await requireNoteSubject(tx, actor, userId);
    const { most: max } = staffLimits.notes;
    if ((await queries.listNotes(tx, user.id, max)).length === max)
      throw new AppError("conflict", `There are already ${max} notes. Delete some first.`);
    await queries.insertNote(tx, {
      id: newId(),
      userId: user.id,
      author: actor.username,
      authorId: actor.id,
      body,
      createdAt: Date.now(),
    });
    await logAction(tx, actor, "note", profile(user.id));
    return { message: "Note saved." };
  });

/** Deletes a note: their own, or any for administrators. */
export const removeNote = (
  ctx: MemberContext,
  { noteId }: z.output<typeof RemoveNote>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const storedNote = await queries.noteById(tx, noteId);
    if (!storedNote) throw notFound();
    if (!actor.isAdmin && storedNote.authorId !== actor.id)
      throw new AppError("forbidden", "Another moderator wrote this note.");
    await queries.deleteNote(tx, noteId);
    await logAction(tx, actor, "delete-note", profile(storedNote.userId));
    return { message: "Note deleted." };
  });

/** Sets whether a person can publish on sites with approved writers. */
export async function setWriter(
  ctx: MemberContext,
  { userId, writer }: z.output<typeof SetWriter>,
): Promise<{ message: string }> {
  const name = await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const user = await requireActionTarget(tx, actor, userId);
    if (user.canPublish !== writer) {
      await updateUser(tx, userId, { canPublish: writer });
      tx.emit(userTopic(userId), { kind: "viewer.profileChanged" });
      await logAction(tx, actor, writer ? "writer" : "reader", { kind: "profile", id: userId });
    }
    return user.name;
  });
  return { message: writer ? `${name} can publish now.` : `${name} can no longer publish.` };
}
