import type { z } from "zod";
import type { RemoveBlog } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { endTies } from "./authors.ts";
import { byKey, ownBlog, type By } from "../blogs/access.ts";
import { cardById } from "../blogs/card-queries.ts";
import type { Condition } from "../blogs/condition.ts";
import { deleteBlogRow, picturesOfBlog, updateBlog, type BlogFacts } from "../blogs/queries.ts";
import { deleteRevisions, someRevisions } from "../blogs/revision-queries.ts";
import { publishVisibility } from "../blogs/events.ts";
import { writingOf } from "../blogs/writing-queries.ts";
import { deleteSomeUnder } from "../comments/removal-queries.ts";
import type { MemberContext } from "../context.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { profileTopic, userTopic } from "../live/stored-events.ts";
import { rightsTopic } from "../live/signals.ts";
import { noteUse } from "../media/queries.ts";
import { deleteNotificationsWhere } from "../notifications/queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { deleteSubscriptions } from "../notifications/subscription-queries.ts";
import { publishPendingForStaff } from "../users/staff-events.ts";
import { deleteLikesOf } from "./delete-account-queries.ts";
import { forgetPlacesIn } from "./place-queries.ts";

/** Rows in one transaction: some tens of milliseconds. */
const room = 300;

export const blogDeletionJob = "remove-blog";
interface Removal {
  blogId: string;
  authorId: string;
}

/**
 * Deletes a blog with its comments, likes, saves and history. Its pictures stay for a month. Of a blog with many comments the rest goes
 * a little later; nobody finds it meanwhile, but as a draft its author.
 */
export async function deleteBlog(
  ctx: MemberContext,
  by: By,
  condition?: Condition,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, by);
    if (condition && !condition.holds(blog)) throw condition.refusal();
    await beginBlogDeletion(tx, blog);
  });
  return { message: "Blog deleted." };
}

/** The same for the form: what is `begun` goes only where nobody has saved it yet, which throws `conflict`. */
export async function discardBlog(
  ctx: MemberContext,
  { id, begun }: z.output<typeof RemoveBlog>,
): Promise<{ message: string }> {
  if (!begun) return deleteBlog(ctx, { id });
  await ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id });
    if ((await writingOf(tx, id))?.begunBy == null)
      throw new AppError("conflict", "This blog was saved in the meantime.");
    await beginBlogDeletion(tx, blog);
  });
  return { message: "Draft discarded." };
}

/** The same in a write of whoever may. */
export async function beginBlogDeletion(tx: Transaction, blog: BlogFacts): Promise<void> {
  const { id, authorId } = blog;
  await publishPendingForStaff(tx);
  // Who lists them by tags is told which these were.
  const tags = (await cardById(tx, id, authorId))?.tags;
  if ((await deleteSome(tx, id, room)) >= room) {
    await updateBlog(tx, id, { draft: true, takedownReason: null });
    const removal: Removal = { blogId: id, authorId };
    await enqueue(tx, blogDeletionJob, removal);
  }
  await publishVisibility(tx, authorId, id, { ...blog, tags }, null);
}

/** The same for a client that names it by its id or its address. */
export const deleteByKey = (ctx: MemberContext, key: string, condition: Condition | undefined) =>
  deleteBlog(ctx, byKey(key), condition);

/**
 * Deletes some of what belongs to a blog and may be much, and the blog once all that is gone: then it is less than there
 * was room for. Answers with how much it was.
 */
export async function deleteSome(tx: Transaction, blogId: string, most: number): Promise<number> {
  await endTies(tx, blogId);
  const shown = await picturesOfBlog(tx, blogId);
  const recipients = await deleteNotificationsWhere(tx, { blogId }, most);
  let removed = recipients.length;
  for (const part of [deleteSomeUnder, deleteLikesOf, forgetPlacesIn, deleteSubscriptions, forgetRevisions])
    if (removed < most) removed += await part(tx, blogId, most - removed);
  if (removed < most) {
    await deleteBlogRow(tx, blogId);
    await noteUse(tx, shown, Date.now());
  }
  await publishWithdrawn(tx, recipients);
  return removed;
}

/** So many words more of a text that goes cost as much as one more row. */
const wordsPerRow = 3_000;

async function forgetRevisions(tx: Transaction, blogId: string, most: number): Promise<number> {
  const ids: string[] = [];
  let cost = 0;
  for (const { id, words } of await someRevisions(tx, blogId, most)) {
    if (cost >= most) break;
    ids.push(id);
    cost += 1 + Math.floor(words / wordsPerRow);
  }
  await noteUse(tx, await deleteRevisions(tx, ids), Date.now());
  return cost;
}

/** Goes on with what `deleteBlog` began. */
export const resumeBlogDeletion: JobHandler<Removal> = {
  timeLimit: 30 * 60_000,
  run: (parts, { blogId, authorId }, { signal }) =>
    inSteps(
      parts.database,
      async (tx) => {
        if ((await deleteSome(tx, blogId, room)) >= room) return false;
        await tx.emit(userTopic(authorId), { kind: "viewer.blogsChanged", blogId });
        await tx.emit(profileTopic(authorId), { kind: "profile.listed", list: "draft-blogs" });
        tx.signal(rightsTopic(blogId));
        return true;
      },
      signal,
    ),
};
