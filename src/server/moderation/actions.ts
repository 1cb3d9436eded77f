import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type {
  AnswerAppeal,
  MakeModerator,
  Restore,
  ResolveReport,
  SetLimited,
  Suspend,
  Target,
} from "../../shared/moderation.ts";
import type { DeleteBlog } from "../../shared/staff-content.ts";
import { blogFactsById, keepSlug, updateBlog, type BlogFacts } from "../blogs/queries.ts";
import { appealOf } from "./appeal-queries.ts";
import { publishVisibility } from "../blogs/events.ts";
import { removeComment } from "../comments/service.ts";
import { commentById } from "../comments/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, userTopic } from "../live/stored-events.ts";
import { recipientsOfBlog } from "../notifications/recipient-queries.ts";
import { startBlogDeletion } from "../blogs/delete-blog.ts";
import { notifyForSite, withdraw } from "../notifications/service.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { updateUser, type UserRow } from "../profiles/queries.ts";
import { requireActionTarget, requireAdmin, requireStaff, notFound, staffBlog } from "./access.ts";
import { logAction } from "./log.ts";
import { canRunSite } from "./policy.ts";
import * as queries from "./queries.ts";
import { endStaffNotifications } from "./staff-notifications.ts";
import { unsuspendAccount, limitAccount, suspendAccount, unlimitAccount } from "./suspension.ts";

/** Resolves all reports of a target: dismisses them, takes it down, or suspends its author. Reporters are notified. */
export async function resolveReport(
  ctx: MemberContext,
  { kind, id, outcome, reason }: z.output<typeof ResolveReport>,
): Promise<{ message: string }> {
  if (outcome === "take-down" && kind === "profile")
    throw new AppError(
      "bad_request",
      "A profile can’t be taken down. Suspend the account, or dismiss the report.",
    );
  const target = { kind, id };
  if (outcome === "suspend") {
    await requireStaff(ctx.database.read, ctx.viewer);
    const ownerId = await ownerOf(ctx.database.read, target);
    if (!ownerId) throw notFound();
    return suspendWith(ctx, ownerId, reason, (tx) => closeAndNotify(tx, target, "report-acted"));
  }
  if (outcome === "take-down" && kind === "comment") return deleteComment(ctx, id, reason);
  await ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const now = Date.now();
    if (outcome === "take-down") await takeDownBlog(tx, actor, id, reason);
    else await dismissReports(tx, actor, target, reason, now);
    const answer = outcome === "take-down" ? "report-acted" : "report-kept";
    const closedCount = await closeAndNotify(tx, target, answer, now);
    if (outcome === "keep" && closedCount === 0) throw alreadyHandled();
  });
  return {
    message:
      outcome === "take-down" ? "Blog taken down. The author will see your reason." : "Report dismissed.",
  };
}

/** Closes a target's reports and notifies the reporters. Returns how many. */
async function closeAndNotify(
  tx: Transaction,
  target: Target,
  kind: "report-acted" | "report-kept",
  now = Date.now(),
): Promise<number> {
  const reporters = new Set(await queries.closeReports(tx, target, { appeals: false, now }));
  for (const userId of reporters) await notifyForSite(tx, { userId, kind, target: target.id });
  return reporters.size;
}

/** Returns the id of the target's author, if it exists. */
async function ownerOf(connection: Connection, { kind, id }: Target): Promise<string | undefined> {
  if (kind === "profile") return id;
  return kind === "blog"
    ? (await blogFactsById(connection, id, null))?.authorId
    : (await commentById(connection, id, null))?.author?.id;
}

/** Dismisses reports. Only administrators can dismiss those of their own content: there may be no other. */
async function dismissReports(
  tx: Transaction,
  actor: UserRow,
  target: Target,
  reason: string,
  now: number,
): Promise<void> {
  if (!canRunSite(actor) && (await ownerOf(tx, target)) === actor.id)
    throw new AppError("forbidden", "This is your own. Another moderator has to review it.");
  await logAction(tx, actor, "keep", target, reason, now);
}

/** Undoes a dismissal, while it is the last decision: the reports are open again, and nobody was answered. */
export async function reopenReports(ctx: MemberContext, target: Target): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const reporters = await queries.reopenReports(tx, target);
    if (reporters.length === 0) throw alreadyHandled();
    for (const userId of reporters)
      await withdraw(tx, { userId, kind: "report-kept", actorId: userId, target: target.id });
    await logAction(tx, actor, "reopen", target);
  });
  return { message: "The report is open again." };
}

/** What the affected person will read cannot be empty. */
function requireReason(reason: string, reader: "The author" | "The person"): void {
  if (reason === "")
    throw new AppError("bad_request", `Please give a reason. ${reader} will see it.`, { field: "reason" });
}

const alreadyHandled = () => new AppError("conflict", "Another moderator has already handled it.");

/** Makes a blog a draft that its author cannot publish, and notifies them. */
async function takeDownBlog(tx: Transaction, actor: UserRow, id: string, reason: string): Promise<void> {
  requireReason(reason, "The author");
  const blog = await blogFactsById(tx, id, null);
  // Moderators see no one's drafts.
  if (!blog || (blog.draft && blog.takedownReason === null)) throw notFound();
  await requireActionTarget(tx, actor, blog.authorId);
  if (blog.takedownReason !== null) throw alreadyHandled();
  await keepSlug(tx, blog);
  await updateBlog(tx, id, { draft: true, takedownReason: reason });
  await publishMoved(tx, blog, true);
  await notifyForSite(tx, { userId: blog.authorId, kind: "taken-down", target: id, blogId: id });
  await logAction(tx, actor, "take-down", { kind: "blog", id }, reason);
  publishAppeal(tx, blog);
}

export async function restoreBlog(
  ctx: MemberContext,
  { blogId }: z.output<typeof Restore>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => undoTakedown(tx, await requireStaff(tx, ctx.viewer), blogId));
  return { message: "Blog restored." };
}

/** Restores a blog or leaves it taken down, at its author's request. */
export async function answerAppeal(
  ctx: MemberContext,
  { blogId, outcome, reason }: z.output<typeof AnswerAppeal>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const appeal = await appealOf(tx, blogId);
    if (!appeal || appeal.answer) throw alreadyHandled();
    if (outcome === "restore") await undoTakedown(tx, actor, blogId, reason);
    else await dismissAppeal(tx, actor, blogId, reason);
  });
  return { message: outcome === "restore" ? "Blog restored." : "Request dismissed." };
}

async function dismissAppeal(tx: Transaction, actor: UserRow, blogId: string, reason: string): Promise<void> {
  const blog = await blogFactsById(tx, blogId, null);
  if (!blog) throw notFound();
  // An administrator may be alone.
  if (!(canRunSite(actor) && blog.authorId === actor.id)) await requireActionTarget(tx, actor, blog.authorId);
  await logAction(tx, actor, "keep-appeal", { kind: "blog", id: blogId }, reason);
  await closeAppeal(tx, blog, "appeal-kept");
  publishAppeal(tx, blog);
}

/** Closes the appeal of a blog's author, if there is one, and notifies them. Returns whether there was one. */
async function closeAppeal(
  tx: Transaction,
  { id, authorId }: BlogFacts,
  kind: "appeal-kept" | "appeal-restored",
  about: { blogId?: string } = { blogId: id },
): Promise<boolean> {
  const closed = await queries.closeReports(tx, { kind: "blog", id }, { appeals: true, now: Date.now() });
  if (closed.length === 0) return false;
  await notifyForSite(tx, { userId: authorId, kind, target: id, ...about });
  return true;
}

const publishAppeal = (tx: Transaction, { id, authorId }: BlogFacts): void =>
  tx.emit(userTopic(authorId), { kind: "viewer.appealChanged", blogId: id });

/** Restores a blog; the caller has checked the role. */
async function undoTakedown(tx: Transaction, actor: UserRow, blogId: string, reason = ""): Promise<void> {
  const blog = await blogFactsById(tx, blogId, null);
  if (!blog) throw notFound();
  if (blog.takedownReason === null) return;
  await requireActionTarget(tx, actor, blog.authorId);
  await updateBlog(tx, blogId, { draft: false, takedownReason: null });
  await publishMoved(tx, blog, false);
  await logAction(tx, actor, "restore", { kind: "blog", id: blogId }, reason);
  if (!(await closeAppeal(tx, blog, "appeal-restored")))
    await notifyForSite(tx, { userId: blog.authorId, kind: "restored", target: blogId, blogId });
}

/** Deletes a blog permanently, for administrators; moderators can take it down. */
export async function deleteBlog(
  ctx: MemberContext,
  { blogId, reason }: z.output<typeof DeleteBlog>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const blog = await staffBlog(tx, blogId);
    if (blog.authorId !== actor.id) await requireActionTarget(tx, actor, blog.authorId);
    // Before the deletion, which removes its reports, too.
    await logAction(tx, actor, "delete", { kind: "blog", id: blogId }, reason);
    await closeAndNotify(tx, { kind: "blog", id: blogId }, "report-acted");
    await closeAppeal(tx, blog, "appeal-kept", {});
    await startBlogDeletion(tx, blog);
  });
  return { message: "Blog deleted." };
}

async function publishMoved(tx: Transaction, blog: BlogFacts, draft: boolean): Promise<void> {
  tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
  publishWithdrawn(tx, await recipientsOfBlog(tx, blog.id));
  await publishVisibility(tx, blog.authorId, blog.id, blog, { ...blog, draft });
}

/** Deletes a comment with its replies. Blocks do not apply to moderators. */
async function deleteComment(ctx: MemberContext, id: string, reason: string): Promise<{ message: string }> {
  const loadComment = async (connection: Connection) => {
    const comment = await commentById(connection, id, null);
    if (!comment || comment.deletedAt !== null) throw notFound();
    return comment;
  };
  await ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const comment = await loadComment(tx);
    if (comment.author) await requireActionTarget(tx, actor, comment.author.id);
    // Before the deletion, which removes its reports, too.
    await logAction(tx, actor, "take-down", { kind: "comment", id }, reason);
    await closeAndNotify(tx, { kind: "comment", id }, "report-acted");
  });
  await removeComment(ctx, id, loadComment);
  return { message: "Comment deleted." };
}

export async function suspend(
  ctx: MemberContext,
  { userId, suspended, reason }: z.output<typeof Suspend>,
): Promise<{ message: string }> {
  if (suspended) return suspendWith(ctx, userId, reason);
  await ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    await unsuspendAccount(tx, actor, await requireActionTarget(tx, actor, userId));
  });
  return { message: "Account unsuspended." };
}

async function suspendWith(
  ctx: MemberContext,
  userId: string,
  reason: string,
  also?: (tx: Transaction) => Promise<unknown>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    requireReason(reason, "The person");
    await suspendAccount(tx, actor, await requireActionTarget(tx, actor, userId), reason);
    await also?.(tx);
    await closeAndNotify(tx, { kind: "profile", id: userId }, "report-acted");
  });
  return { message: "The account is suspended and signed out everywhere." };
}

export async function setLimited(
  ctx: MemberContext,
  { userId, limited, reason }: z.output<typeof SetLimited>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const user = await requireActionTarget(tx, actor, userId);
    await (limited ? limitAccount(tx, actor, user, reason) : unlimitAccount(tx, actor, user));
  });
  return {
    message: limited
      ? "Only followers can see this account now. The person isn’t notified."
      : "Everyone can see this account again.",
  };
}

export async function makeModerator(
  ctx: MemberContext,
  { userId, moderator }: z.output<typeof MakeModerator>,
): Promise<{ message: string }> {
  const name = await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const user = await requireActionTarget(tx, actor, userId);
    if (user.isModerator !== moderator) {
      await updateUser(tx, userId, { isModerator: moderator });
      if (!moderator) await endStaffNotifications(tx, userId);
      tx.emit(userTopic(userId), { kind: "viewer.profileChanged" });
      await logAction(tx, actor, moderator ? "moderator" : "member", { kind: "profile", id: userId });
    }
    return user.name;
  });
  return { message: moderator ? `${name} is a moderator now.` : `${name} is no moderator any more.` };
}
