import type { MemberContext } from "../context.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { profileTopic, rightsTopic, userTopic } from "../live/facts.ts";
import { tellWithdrawn } from "../notices/telling.ts";
import { noteUse } from "../media/queries.ts";
import { ownBlog } from "./access.ts";
import type { Condition } from "./condition.ts";
import { picturesOfBlog, updateBlog } from "./queries.ts";
import { removeSome } from "./removal-queries.ts";
import { tellOfVisibility } from "./telling.ts";

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
  { id }: { id: string },
  condition?: Condition,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id });
    if (condition && !condition.holds(blog)) throw condition.refusal();
    if (!(await remove(tx, id))) {
      await updateBlog(tx, id, { draft: true });
      const removal: Removal = { blogId: id, authorId: ctx.viewer.id };
      await enqueue(tx, removalJob, removal);
    }
    await tellOfVisibility(tx, ctx.viewer.id, id, blog, null);
  });
  return { message: "The blog is deleted." };
}

async function remove(tx: Transaction, id: string): Promise<boolean> {
  const shown = await picturesOfBlog(tx, id);
  const { removed, noticed } = await removeSome(tx, id, room);
  if (removed < room) await noteUse(tx, shown, Date.now());
  await tellWithdrawn(tx, noticed);
  return removed < room;
}

/** Goes on with what `deleteBlog` began. */
export const goOnRemoving: JobHandler<Removal> = {
  timeLimit: 30 * 60_000,
  run: (parts, { blogId, authorId }, { signal }) =>
    inSteps(
      parts.database,
      async (tx) => {
        if (!(await remove(tx, blogId))) return false;
        await tx.fact(userTopic(authorId), { kind: "own.blogs", blogId });
        await tx.fact(profileTopic(authorId), { kind: "profile.listed", list: "draft-blogs" });
        tx.ring(rightsTopic(blogId));
        return true;
      },
      signal,
    ),
};
