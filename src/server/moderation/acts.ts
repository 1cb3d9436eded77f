import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type {
  MakeModerator,
  Restore,
  ResolveReport,
  SetLimited,
  Suspend,
  Target,
} from "../../shared/moderation.ts";
import type { DeleteBlog } from "../../shared/finding.ts";
import { blogFactsById, updateBlog, type BlogFacts } from "../blogs/queries.ts";
import { publishVisibility } from "../blogs/events.ts";
import { removeComment } from "../comments/service.ts";
import { commentById } from "../comments/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, userTopic } from "../live/stored-events.ts";
import { recipientsOfBlog } from "../notifications/recipient-queries.ts";
import { beginBlogDeletion } from "../social/delete-blog.ts";
import { notifyForSite } from "../notifications/service.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { updateUser, type UserRow } from "../users/queries.ts";
import { against, asAdmin, asStaff, gone, staffBlog } from "./access.ts";
import { note, type operator } from "./log.ts";
import { canRunSite } from "./policy.ts";
import { closeReports } from "./queries.ts";
import { unsuspendAccount, limitAccount, suspendAccount, unlimitAccount } from "./suspension.ts";

/** A moderator, or whoever runs the site. */
type Acting = UserRow | typeof operator;

/** Answers all reports of one thing at once: leaves it, takes it away, or shuts the account that it is of. Who reported is told. */
export async function resolveReport(
  ctx: MemberContext,
  { kind, id, outcome, reason }: z.output<typeof ResolveReport>,
): Promise<{ message: string }> {
  if (outcome === "hide" && kind === "profile")
    throw new AppError(
      "bad_request",
      "A profile can’t be taken down. Suspend the account, or dismiss the report.",
    );
  const target = { kind, id };
  if (outcome === "suspend") {
    await asStaff(ctx.database.read, ctx.viewer);
    const ownerId = await ownerOf(ctx.database.read, target);
    if (!ownerId) throw gone();
    return suspendWith(ctx, ownerId, reason, (tx) => answer(tx, target, "report-acted"));
  }
  if (outcome === "hide" && kind === "comment")
    return takeAwayComment(ctx, (tx) => asStaff(tx, ctx.viewer), id, reason);
  await ctx.database.write(async (tx) => {
    const actor = await asStaff(tx, ctx.viewer);
    if (outcome === "hide") await takeDownBlog(tx, actor, id, reason);
    else await keep(tx, actor, target, reason);
    const answered = await answer(tx, target, outcome === "hide" ? "report-acted" : "report-kept");
    if (outcome === "keep" && answered === 0) throw answeredAlready();
  });
  return {
    message: outcome === "hide" ? "Blog taken down. The author will see your reason." : "Report dismissed.",
  };
}

/** Tells each who reported it what came of that; gives how many they are. */
async function answer(
  tx: Transaction,
  { id }: Target,
  kind: "report-acted" | "report-kept",
): Promise<number> {
  const reporters = new Set(await closeReports(tx, id, Date.now()));
  for (const userId of reporters) await notifyForSite(tx, { userId, kind, target: id });
  return reporters.size;
}

/** Whose it is; undefined where it is gone. */
async function ownerOf(connection: Connection, { kind, id }: Target): Promise<string | undefined> {
  if (kind === "profile") return id;
  return kind === "blog"
    ? (await blogFactsById(connection, id, null))?.authorId
    : (await commentById(connection, id, null))?.author?.id;
}

/** Leaves what was reported as it is. Of what is their own a moderator has another decide; administrators may be alone. */
async function keep(tx: Transaction, actor: UserRow, target: Target, reason: string): Promise<void> {
  if (!canRunSite(actor) && (await ownerOf(tx, target)) === actor.id)
    throw new AppError("forbidden", "This is your own. Another moderator has to review it.");
  await note(tx, actor, "keep", target, reason);
}

const answeredAlready = () => new AppError("conflict", "Another moderator has already handled it.");

/** Makes a blog a draft again that its author can't publish, and says why. */
export async function takeDownBlog(
  tx: Transaction,
  actor: Acting,
  id: string,
  reason: string,
): Promise<void> {
  const blog = await blogFactsById(tx, id, null);
  // Nobody's drafts are the moderators' to look at.
  if (!blog || (blog.draft && blog.takedownReason === null)) throw gone();
  await against(tx, actor, blog.authorId);
  if (blog.takedownReason !== null) throw answeredAlready();
  await updateBlog(tx, id, { draft: true, takedownReason: reason });
  await publishMoved(tx, blog, true);
  await notifyForSite(tx, { userId: blog.authorId, kind: "hidden", target: id, blogId: id });
  await note(tx, actor, "hide", { kind: "blog", id }, reason);
}

/** Restores a blog that moderators took down. */
export async function restoreBlog(
  ctx: MemberContext,
  { blogId }: z.output<typeof Restore>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => undoTakedown(tx, await asStaff(tx, ctx.viewer), blogId));
  return { message: "Blog restored." };
}

/** The same by whoever may. */
export async function undoTakedown(tx: Transaction, actor: Acting, blogId: string): Promise<void> {
  const blog = await blogFactsById(tx, blogId, null);
  if (!blog) throw gone();
  if (blog.takedownReason === null) return;
  await against(tx, actor, blog.authorId);
  await updateBlog(tx, blogId, { draft: false, takedownReason: null });
  await publishMoved(tx, blog, false);
  await notifyForSite(tx, { userId: blog.authorId, kind: "restored", target: blogId, blogId });
  await answer(tx, { kind: "blog", id: blogId }, "report-acted");
  await note(tx, actor, "restore", { kind: "blog", id: blogId });
}

/** Deletes a blog with its comments, for good: what administrators alone do, since moderators can take it down. */
export async function deleteBlog(
  ctx: MemberContext,
  { blogId, reason }: z.output<typeof DeleteBlog>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => eraseBlog(tx, await asAdmin(tx, ctx.viewer), blogId, reason));
  return { message: "Blog deleted." };
}

/** The same by whoever may. */
export async function eraseBlog(
  tx: Transaction,
  actor: Acting,
  blogId: string,
  reason: string,
): Promise<void> {
  const blog = await staffBlog(tx, blogId);
  if (blog.authorId !== actor.id) await against(tx, actor, blog.authorId);
  // Before it goes, and its reports with it.
  await note(tx, actor, "delete", { kind: "blog", id: blogId }, reason);
  await answer(tx, { kind: "blog", id: blogId }, "report-acted");
  await beginBlogDeletion(tx, blog);
}

async function publishMoved(tx: Transaction, blog: BlogFacts, draft: boolean): Promise<void> {
  await tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
  await publishWithdrawn(tx, await recipientsOfBlog(tx, blog.id));
  await publishVisibility(tx, blog.authorId, blog.id, blog, { ...blog, draft });
}

/** Takes a comment away with its replies, whoever is there for whom: moderators see what they act on as nobody. */
export async function takeAwayComment(
  { database }: Pick<MemberContext, "database">,
  acting: (tx: Transaction) => Promise<Acting>,
  id: string,
  reason: string,
): Promise<{ message: string }> {
  const door = async (connection: Connection) => {
    const comment = await commentById(connection, id, null);
    const blog = comment && (await blogFactsById(connection, comment.blogId, null));
    if (!blog || comment.deletedAt !== null) throw gone();
    return { comment, blog };
  };
  await database.write(async (tx) => {
    const actor = await acting(tx);
    const { comment } = await door(tx);
    if (comment.author) await against(tx, actor, comment.author.id);
    // Before it goes, and its reports with it.
    await note(tx, actor, "hide", { kind: "comment", id }, reason);
    await answer(tx, { kind: "comment", id }, "report-acted");
  });
  await removeComment({ database }, id, door);
  return { message: "Comment deleted." };
}

/** Suspends or unsuspends an account. */
export async function suspend(
  ctx: MemberContext,
  { userId, suspended, reason }: z.output<typeof Suspend>,
): Promise<{ message: string }> {
  if (suspended) return suspendWith(ctx, userId, reason);
  await ctx.database.write(async (tx) => {
    const actor = await asStaff(tx, ctx.viewer);
    await unsuspendAccount(tx, actor, await against(tx, actor, userId));
  });
  return { message: "Account unsuspended." };
}

async function suspendWith(
  ctx: MemberContext,
  userId: string,
  reason: string,
  also?: (tx: Transaction) => Promise<unknown>,
): Promise<{ message: string }> {
  const ended = await ctx.database.write(async (tx) => {
    const actor = await asStaff(tx, ctx.viewer);
    const sessions = await suspendAccount(tx, actor, await against(tx, actor, userId), reason);
    await also?.(tx);
    await answer(tx, { kind: "profile", id: userId }, "report-acted");
    return sessions;
  });
  ctx.sessions.closed(ended);
  return { message: "The account is suspended and signed out everywhere." };
}

/** Limits an account to its followers, or removes the limit. */
export async function setLimited(
  ctx: MemberContext,
  { userId, limited, reason }: z.output<typeof SetLimited>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await asStaff(tx, ctx.viewer);
    const user = await against(tx, actor, userId);
    await (limited ? limitAccount(tx, actor, user, reason) : unlimitAccount(tx, actor, user));
  });
  return {
    message: limited
      ? "Only followers can see this account now. The person isn’t notified."
      : "Everyone can see this account again.",
  };
}

/** Makes somebody a moderator, or a member again. */
export async function makeModerator(
  ctx: MemberContext,
  { userId, moderator }: z.output<typeof MakeModerator>,
): Promise<{ message: string }> {
  const name = await ctx.database.write(async (tx) => {
    const actor = await asAdmin(tx, ctx.viewer);
    const user = await against(tx, actor, userId);
    if (user.isModerator !== moderator) {
      await updateUser(tx, userId, { isModerator: moderator });
      await tx.emit(userTopic(userId), { kind: "viewer.profileChanged" });
      await note(tx, actor, moderator ? "moderator" : "member", { kind: "profile", id: userId });
    }
    return user.name;
  });
  return { message: moderator ? `${name} is a moderator now.` : `${name} is no moderator any more.` };
}
