import { byKey, ownBlog, type By } from "../blogs/access.ts";
import type { Condition } from "../blogs/condition.ts";
import { deleteBlogRow, picturesOfBlog, updateBlog } from "../blogs/queries.ts";
import { tellOfVisibility } from "../blogs/telling.ts";
import { deleteSomeUnder } from "../comments/removal-queries.ts";
import type { MemberContext } from "../context.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { profileTopic, rightsTopic, userTopic } from "../live/facts.ts";
import { noteUse } from "../media/queries.ts";
import { deleteNotices } from "../notices/queries.ts";
import { tellWithdrawn } from "../notices/telling.ts";
import { forgetWatches } from "../notices/watch-queries.ts";
import { deleteLikesOf } from "./leave-queries.ts";

/** Rows in one transaction: some tens of milliseconds. */
const room = 300;

export const removalJob = "remove-blog";
interface Removal {
  blogId: string;
  authorId: string;
}

/**
 * Deletes a blog with its comments, likes and saves. Its pictures stay for a month. Of a blog with many comments the rest goes
 * a little later; nobody finds it meanwhile, but as a draft its author.
 */
export async function deleteBlog(
  ctx: MemberContext,
  by: By,
  condition?: Condition,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, by);
    const { id } = blog;
    if (condition && !condition.holds(blog)) throw condition.refusal();
    if ((await removeSome(tx, id, room)) >= room) {
      await updateBlog(tx, id, { draft: true });
      const removal: Removal = { blogId: id, authorId: ctx.viewer.id };
      await enqueue(tx, removalJob, removal);
    }
    await tellOfVisibility(tx, ctx.viewer.id, id, blog, null);
  });
  return { message: "The blog is deleted." };
}

/** The same for a client that names it by its id or its address. */
export const deleteByKey = (ctx: MemberContext, key: string, condition: Condition | undefined) =>
  deleteBlog(ctx, byKey(key), condition);

/**
 * Deletes some of what belongs to a blog and may be much, and the blog once all that is gone: then it is less than there
 * was room for. Answers with how much it was.
 */
export async function removeSome(tx: Transaction, blogId: string, most: number): Promise<number> {
  const shown = await picturesOfBlog(tx, blogId);
  const noticed = await deleteNotices(tx, { blogId }, most);
  let removed = noticed.length;
  for (const part of [deleteSomeUnder, deleteLikesOf, forgetWatches])
    if (removed < most) removed += await part(tx, blogId, most - removed);
  if (removed < most) {
    await deleteBlogRow(tx, blogId);
    await noteUse(tx, shown, Date.now());
  }
  await tellWithdrawn(tx, noticed);
  return removed;
}

/** Goes on with what `deleteBlog` began. */
export const goOnRemoving: JobHandler<Removal> = {
  timeLimit: 30 * 60_000,
  run: (parts, { blogId, authorId }, { signal }) =>
    inSteps(
      parts.database,
      async (tx) => {
        if ((await removeSome(tx, blogId, room)) >= room) return false;
        await tx.fact(userTopic(authorId), { kind: "own.blogs", blogId });
        await tx.fact(profileTopic(authorId), { kind: "profile.listed", list: "draft-blogs" });
        tx.ring(rightsTopic(blogId));
        return true;
      },
      signal,
    ),
};
