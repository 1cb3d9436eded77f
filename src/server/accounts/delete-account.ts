import { AppError } from "../../shared/errors.ts";
import { deleteSessionsOf } from "../auth/queries.ts";
import { firstBlogOf, publicDateRange } from "../blogs/queries.ts";
import { deleteSomeAuthorships } from "../authors/service.ts";
import { publishStoredCount, publishLike, publishToSearch } from "../blogs/events.ts";
import { rootsOf } from "../comments/queries.ts";
import {
  repliesTo,
  deleteComments,
  emptyComments,
  newestCommentsOf,
  deleteCommentLikes,
  withinBudget,
} from "../comments/removal-queries.ts";
import { deletePendingOf } from "../comments/pending-queries.ts";
import { anonymizeEntries, deleteEntryLikes } from "../entries/removal-queries.ts";
import type { MemberContext } from "../context.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { shortRandom } from "../runtime/ids.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { blogTopic, feedTopic, profileTopic, searchTopic, userTopic } from "../live/stored-events.ts";
import { peopleTopic, rightsTopic } from "../live/signals.ts";
import { recipientsOfComments } from "../notifications/recipient-queries.ts";
import { deleteNotificationsWhere } from "../notifications/queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { deleteQueuedMails } from "../mail/mail-queue.ts";
import { deleteUnusedPictures } from "../media/service.ts";
import { revokeMailLinks } from "../sign-in/mail-links.ts";
import { deletePasskeysSince } from "../sign-in/passkey-queries.ts";
import { requireAnotherAdministrator } from "../profiles/access.ts";
import { countVerified, deleteLaterUndo, deleteUser, updateUser, userById } from "../profiles/queries.ts";
import { deleteUsesOf } from "../profiles/usage-queries.ts";
import { publishStaffWork } from "../moderation/staff-events.ts";
import { deleteBlocks } from "../blocks/queries.ts";
import { holdUsername } from "../profiles/username-queries.ts";
import { deleteSomeFollows } from "../follows/delete-queries.ts";
import { deleteLikesAndSaves } from "../likes/delete-queries.ts";
import { deleteSomeOfBlog } from "../blogs/delete-blog.ts";

/** Rows in one transaction: some tens of milliseconds. */
const maxRows = 300;
/** The cost of a blog itself in rows: its text is in the search index. */
const rowsPerBlog = 10;

export const accountDeletionJob = "delete-account";

/**
 * Deletes the viewer's account with all its data. Comments with replies by others become "deleted". A job continues for large
 * accounts, which no one can find or sign in to. `first` runs in the same transaction. Throws `conflict` for the only
 * administrator of other people.
 */
export async function deleteAccount(
  ctx: MemberContext,
  first?: (tx: Transaction) => Promise<void>,
): Promise<{ message: string }> {
  const { id } = ctx.viewer;
  await ctx.database.write(async (tx) => {
    await first?.(tx);
    const user = await userById(tx, id);
    if (!user) throw new AppError("not_found", "This account no longer exists.");
    // The last account leaves a site as new.
    if ((await countVerified(tx, 2)) > 1) await requireAnotherAdministrator(tx, user);
    tx.emit(feedTopic, { kind: "person.gone", personId: id });
    const span = user.private ? undefined : await publicDateRange(tx, id);
    if (span) tx.emit(feedTopic, { kind: "feed.changed", ...span });
    tx.emit(searchTopic, { kind: "search.people" });
    await publishToSearch(tx, id, "everyone");
    await deleteSessionsOf(tx, id);
    const isGone = await deleteSomeOfAccount(tx, id);
    if (!isGone) {
      await lockAccount(tx, id);
      await enqueue(tx, accountDeletionJob, { userId: id });
    }
    await deleteQueuedMails(tx, user.email);
    await holdUsername(tx, user.username, null);
    tx.signal(rightsTopic(id));
    tx.signal(peopleTopic);
  });
  ctx.setCookie(ctx.sessions.blankCookie);
  await deleteUnusedPictures(ctx);
  return { message: "Account deleted." };
}

/** Continues `deleteAccount`. */
export const resumeAccountDeletion: JobHandler<{ userId: string }> = {
  timeLimit: 30 * 60_000,
  run: async (services, { userId }, { signal }) => {
    await runInSteps(
      services.database,
      async (tx) => {
        if (!(await deleteSomeOfAccount(tx, userId))) return false;
        tx.emit(feedTopic, { kind: "person.gone", personId: userId });
        tx.signal(rightsTopic(userId));
        tx.signal(peopleTopic);
        return true;
      },
      signal,
    );
    await deleteUnusedPictures(services);
  },
};

/** Frees name and address, removes sign-in methods, and hides the rest by making the account private. */
async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await revokeMailLinks(tx, userId);
  await deleteLaterUndo(tx, userId, 0);
  await deletePasskeysSince(tx, userId, 0);
  await updateUser(tx, userId, {
    username: `gone-${shortRandom(20)}`,
    usernameSkeleton: "",
    email: `${userId}@gone.invalid`,
    passwordHash: null,
    googleId: null,
    verifiedAt: null,
    isAdmin: false,
    isModerator: false,
    private: true,
  });
}

/** Deletes some of an account. Returns whether it is gone. A step that returns less than `remaining` is done. */
async function deleteSomeOfAccount(tx: Transaction, userId: string): Promise<boolean> {
  let remaining = maxRows;
  await publishStaffWork(tx);
  for (const deleteSome of [
    deleteSomeAuthorships,
    deleteFollows,
    deleteBlogs,
    removePendingComments,
    anonymizeComments,
    anonymizeEntries,
    deleteLikes,
    deleteNotifications,
  ]) {
    remaining -= await deleteSome(tx, userId, remaining);
    if (remaining <= 0) return false;
  }
  await deleteUsesOf(tx, userId);
  await deleteUser(tx, userId);
  return true;
}

async function deleteBlogs(tx: Transaction, userId: string, limit: number): Promise<number> {
  let remaining = limit;
  while (remaining > 0) {
    const blogId = await firstBlogOf(tx, userId);
    if (blogId === undefined) break;
    remaining -= (await deleteSomeOfBlog(tx, blogId, remaining)) + rowsPerBlog;
  }
  return limit - remaining;
}

async function removePendingComments(tx: Transaction, userId: string, limit: number): Promise<number> {
  const deleted = await deletePendingOf(tx, userId, limit);
  for (const [blogId, ownerId] of new Map(deleted.map((pending) => [pending.blogId, pending.ownerId])))
    tx.emit(userTopic(ownerId), { kind: "viewer.pendingChanged", blogId });
  return deleted.length;
}

/**
 * Deletes or empties comments under others' blogs, newest first. Own replies are handled before their parent, so any left are
 * by others.
 */
async function anonymizeComments(tx: Transaction, userId: string, limit: number): Promise<number> {
  const [ownComments, weight] = withinBudget(await newestCommentsOf(tx, userId, limit), limit);
  const repliesByParent = Map.groupBy(
    await repliesTo(
      tx,
      ownComments.map(({ id }) => id),
    ),
    ({ parentId }) => parentId,
  );
  const deleted = new Set<string>();
  for (const { id } of ownComments)
    if (!repliesByParent.get(id)?.some((answer) => !deleted.has(answer.id))) deleted.add(id);
  for (const [blogId, group] of Map.groupBy(ownComments, (comment) => comment.blogId)) {
    const ids = group.map(({ id }) => id);
    const emptiedIds = ids.filter((id) => !deleted.has(id));
    const deletedIds = ids.filter((id) => deleted.has(id));
    const rootIds = await rootsOf(tx, deletedIds);
    // Read first: notifications are deleted with their comments.
    const recipients = await recipientsOfComments(tx, deletedIds);
    const removedCount = await deleteComments(tx, blogId, deletedIds);
    publishWithdrawn(
      tx,
      recipients.filter((other) => other !== userId),
    );
    const emptied = await emptyComments(tx, blogId, emptiedIds, Date.now());
    tx.emit(blogTopic(blogId), {
      kind: "comment.deleted",
      commentIds: deletedIds,
      emptied: emptiedIds,
      rootIds,
    });
    await publishStoredCount(tx, blogId, "commentsCount", -removedCount - emptied);
  }
  return weight;
}

async function deleteLikes(tx: Transaction, userId: string, limit: number): Promise<number> {
  const { liked, saved } = await deleteLikesAndSaves(tx, userId, limit);
  const comments = await deleteCommentLikes(tx, userId, limit - liked.length - saved.length);
  for (const blogId of liked) await publishLike(tx, blogId, false);
  for (const blogId of saved) tx.emit(blogTopic(blogId), { kind: "blog.saved" });
  for (const { id, blogId } of comments) tx.emit(blogTopic(blogId), { kind: "comment.liked", commentId: id });
  const before = liked.length + saved.length + comments.length;
  const entries = await deleteEntryLikes(tx, userId, limit - before);
  for (const { id, blogId } of entries) tx.emit(blogTopic(blogId), { kind: "entry.liked", entryId: id });
  return before + entries.length;
}

async function deleteFollows(tx: Transaction, userId: string, limit: number): Promise<number> {
  const { followed, followers, requested, requesters } = await deleteSomeFollows(tx, userId, limit);
  for (const [others, list] of [
    [followed, "followers"],
    [followers, "following"],
  ] as const)
    for (const person of others) {
      tx.emit(profileTopic(person), { kind: "profile.changed" });
      tx.emit(profileTopic(person), { kind: "profile.listed", list });
    }
  for (const other of followed) tx.emit(userTopic(other), { kind: "follower.changed" });
  for (const person of requested)
    tx.emit(userTopic(person), { kind: "follow.withdrawn", requesterId: userId });
  for (const person of [...followers, ...requesters])
    tx.emit(userTopic(person), { kind: "follow.settled", userId, status: "follow" });
  const count = followed.length + followers.length + requested.length + requesters.length;
  return count + (await deleteBlocks(tx, userId, Math.max(0, limit - count)));
}

async function deleteNotifications(tx: Transaction, userId: string, limit: number): Promise<number> {
  const recipients = await deleteNotificationsWhere(tx, { userId }, limit);
  publishWithdrawn(
    tx,
    recipients.filter((other) => other !== userId),
  );
  return recipients.length;
}
