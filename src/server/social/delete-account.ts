import { AppError } from "../../shared/errors.ts";
import { deleteSessionsOf } from "../auth/queries.ts";
import { blogFactsById, firstBlogOf, publicSpan } from "../blogs/queries.ts";
import { leaveTies } from "./authors.ts";
import { publishCounts, publishLike, publishToSearch } from "../blogs/events.ts";
import { rootsOf } from "../comments/queries.ts";
import {
  answersTo,
  deleteComments,
  emptyComments,
  newestCommentsOf,
  deleteCommentLikes,
  withinRoom,
} from "../comments/removal-queries.ts";
import { deletePendingOf } from "../comments/pending-queries.ts";
import type { MemberContext } from "../context.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { shortRandom } from "../ids.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { blogTopic, feedTopic, profileTopic, searchTopic, userTopic } from "../live/stored-events.ts";
import { peopleTopic, rightsTopic } from "../live/signals.ts";
import { recipientsOfComments } from "../notifications/recipient-queries.ts";
import { deleteNotificationsWhere } from "../notifications/queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { deletePosted } from "../mail/post.ts";
import { dropUnused } from "../media/service.ts";
import { revokeMailLinks } from "../users/mail-links.ts";
import { deletePasskeysSince } from "../users/passkey-queries.ts";
import { deleteLaterUndo, deleteUser, updateUser, userById } from "../users/queries.ts";
import { deleteUsesOf } from "../users/use-queries.ts";
import { publishPendingForStaff } from "../users/staff-events.ts";
import { deleteBlocks } from "../users/block-queries.ts";
import { holdUsername } from "../users/username-queries.ts";
import { cutTies, deleteLikesAndSaves } from "./delete-account-queries.ts";
import { deleteSome } from "./delete-blog.ts";

/** Rows in one transaction: some tens of milliseconds. */
const most = 300;
/** What a blog costs beside what belongs to it: its words are in the search. */
const perBlog = 10;

export const accountDeletionJob = "leave";

/**
 * Deletes the viewer's account with everything of it. Comments that others answered stay as "deleted", so that what those
 * others wrote is kept. Its open pages close at once. Of an account with much the rest goes
 * a little later: nobody can sign in to it or find it meanwhile. `first` is done in the same transaction.
 */
export async function deleteAccount(
  ctx: MemberContext,
  first?: (tx: Transaction) => Promise<void>,
): Promise<{ message: string }> {
  const { id } = ctx.viewer;
  const ended = await ctx.database.write(async (tx) => {
    await first?.(tx);
    const user = await userById(tx, id);
    if (!user) throw new AppError("not_found", "This account no longer exists.");
    await tx.emit(feedTopic, { kind: "person.gone", personId: id });
    const span = user.private ? undefined : await publicSpan(tx, id);
    if (span) await tx.emit(feedTopic, { kind: "feed.changed", ...span });
    await tx.emit(searchTopic, { kind: "search.people" });
    await publishToSearch(tx, id, "everybody");
    const sessions = await deleteSessionsOf(tx, id);
    const isGone = await deleteSomeOfAccount(tx, id);
    if (!isGone) {
      await lock(tx, id);
      await enqueue(tx, accountDeletionJob, { userId: id });
    }
    await deletePosted(tx, user.email);
    await holdUsername(tx, user.username, null);
    tx.signal(rightsTopic(id));
    tx.signal(peopleTopic);
    return sessions;
  });
  ctx.sessions.closed(ended);
  ctx.setCookie(ctx.sessions.blankCookie);
  await dropUnused(ctx);
  return { message: "Account deleted." };
}

/** Goes on with what `deleteAccount` began. */
export const resumeAccountDeletion: JobHandler<{ userId: string }> = {
  timeLimit: 30 * 60_000,
  run: async (parts, { userId }, { signal }) => {
    await inSteps(
      parts.database,
      async (tx) => {
        if (!(await deleteSomeOfAccount(tx, userId))) return false;
        await tx.emit(feedTopic, { kind: "person.gone", personId: userId });
        tx.signal(rightsTopic(userId));
        tx.signal(peopleTopic);
        return true;
      },
      signal,
    );
    await dropUnused(parts);
  },
};

/** Makes an account nobody's: its name and address are free, nothing opens it, and as a private one it shows nothing. */
async function lock(tx: Transaction, userId: string): Promise<void> {
  await revokeMailLinks(tx, userId);
  await deleteLaterUndo(tx, userId, 0);
  await deletePasskeysSince(tx, userId, 0);
  await updateUser(tx, userId, {
    username: `gone-${shortRandom(20)}`,
    look: "",
    email: `${userId}@gone.invalid`,
    passwordHash: null,
    googleId: null,
    verifiedAt: null,
    isAdmin: false,
    isModerator: false,
    private: true,
  });
}

/** Takes away some of an account; true where it is gone. Each part answers with how much it was, below `room` where all is. */
async function deleteSomeOfAccount(tx: Transaction, userId: string): Promise<boolean> {
  let room = most;
  await publishPendingForStaff(tx);
  for (const leave of [
    leaveTies,
    deleteFollows,
    deleteBlogs,
    removePendingComments,
    anonymizeComments,
    deleteLikes,
    deleteNotifications,
  ]) {
    room -= await leave(tx, userId, room);
    if (room <= 0) return false;
  }
  await deleteUsesOf(tx, userId);
  await deleteUser(tx, userId);
  return true;
}

async function deleteBlogs(tx: Transaction, userId: string, room: number): Promise<number> {
  let left = room;
  while (left > 0) {
    const blogId = await firstBlogOf(tx, userId);
    if (blogId === undefined) break;
    left -= (await deleteSome(tx, blogId, left)) + perBlog;
  }
  return room - left;
}

/** Its comments that wait to be let in. */
async function removePendingComments(tx: Transaction, userId: string, room: number): Promise<number> {
  const gone = await deletePendingOf(tx, userId, room);
  for (const [blogId, ownerId] of new Map(gone.map((one) => [one.blogId, one.ownerId])))
    await tx.emit(userTopic(ownerId), { kind: "viewer.pendingChanged", blogId });
  return gone.length;
}

/**
 * Its comments under other people's blogs, the newest first: whatever was said below one has been looked at before it, so that
 * one with anything left below was answered by somebody else.
 */
async function anonymizeComments(tx: Transaction, userId: string, room: number): Promise<number> {
  const [own, weight] = withinRoom(await newestCommentsOf(tx, userId, room), room);
  const answers = Map.groupBy(
    await answersTo(
      tx,
      own.map(({ id }) => id),
    ),
    ({ parentId }) => parentId,
  );
  const deleted = new Set<string>();
  for (const { id } of own) if (!answers.get(id)?.some((answer) => !deleted.has(answer.id))) deleted.add(id);
  for (const [blogId, group] of Map.groupBy(own, (comment) => comment.blogId)) {
    const ids = group.map(({ id }) => id);
    const emptied = ids.filter((id) => !deleted.has(id));
    const gone = ids.filter((id) => deleted.has(id));
    const rootIds = await rootsOf(tx, gone);
    // Read first: notifications are deleted with the comments they are about.
    const recipients = await recipientsOfComments(tx, gone);
    await deleteComments(tx, blogId, gone);
    await publishWithdrawn(
      tx,
      recipients.filter((other) => other !== userId),
    );
    await emptyComments(tx, blogId, emptied, Date.now());
    await tx.emit(blogTopic(blogId), { kind: "comment.deleted", commentIds: gone, emptied, rootIds });
    const blog = await blogFactsById(tx, blogId, null);
    if (blog) await publishCounts(tx, blog);
  }
  return weight;
}

async function deleteLikes(tx: Transaction, userId: string, room: number): Promise<number> {
  const { liked, saved } = await deleteLikesAndSaves(tx, userId, room);
  const comments = await deleteCommentLikes(tx, userId, room - liked.length - saved.length);
  for (const blogId of liked) await publishLike(tx, blogId, false);
  for (const blogId of saved) await tx.emit(blogTopic(blogId), { kind: "blog.saved" });
  for (const { id, blogId } of comments)
    await tx.emit(blogTopic(blogId), { kind: "comment.liked", commentId: id });
  return liked.length + saved.length + comments.length;
}

async function deleteFollows(tx: Transaction, userId: string, room: number): Promise<number> {
  const { followed, followers, asked, asking } = await cutTies(tx, userId, room);
  for (const [others, list] of [
    [followed, "followers"],
    [followers, "following"],
  ] as const)
    for (const other of others) {
      await tx.emit(profileTopic(other), { kind: "profile.changed" });
      await tx.emit(profileTopic(other), { kind: "profile.listed", list });
    }
  for (const other of followed) await tx.emit(userTopic(other), { kind: "follower.changed" });
  for (const other of asked)
    await tx.emit(userTopic(other), { kind: "follow.withdrawn", requesterId: userId });
  for (const other of [...followers, ...asking])
    await tx.emit(userTopic(other), { kind: "follow.settled", userId, status: "follow" });
  const ties = followed.length + followers.length + asked.length + asking.length;
  return ties + (await deleteBlocks(tx, userId, Math.max(0, room - ties)));
}

async function deleteNotifications(tx: Transaction, userId: string, room: number): Promise<number> {
  const recipients = await deleteNotificationsWhere(tx, { userId }, room);
  await publishWithdrawn(
    tx,
    recipients.filter((other) => other !== userId),
  );
  return recipients.length;
}
