import type { z } from "zod";
import type { Commenters, SetCommenters } from "../../shared/blogs.ts";
import type { MemberContext } from "../context.ts";
import { blogTopic } from "../live/stored-events.ts";
import { publishStaffWork } from "../moderation/staff-events.ts";
import { ownBlog } from "../blogs/access.ts";
import { setCommentsFrom } from "../blogs/queries.ts";

/** Sets who can comment on the viewer's blog. Existing comments stay, and can be edited and liked. */
export async function setCommenters(
  ctx: MemberContext,
  { id, commentsFrom }: z.output<typeof SetCommenters>,
): Promise<{ commentsFrom: Commenters; message: string }> {
  return ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id });
    if (blog.commentsFrom !== commentsFrom) {
      await setCommentsFrom(tx, blog.id, commentsFrom);
      tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
      if ([blog.commentsFrom, commentsFrom].includes("approved")) await publishStaffWork(tx);
    }
    return { commentsFrom, message: messages[commentsFrom] };
  });
}

const messages: Record<Commenters, string> = {
  everyone: "Everyone who can read it can comment.",
  approved: "New comments wait for your approval.",
  followers: "Only your followers can comment.",
  nobody: "Comments are off.",
};
