import type { z } from "zod";
import type { Commenters, SetCommenters } from "../../shared/blogs.ts";
import type { MemberContext } from "../context.ts";
import { blogTopic } from "../live/facts.ts";
import { tellWaiting } from "../users/telling.ts";
import { ownBlog } from "./access.ts";
import { setCommentsFrom } from "./queries.ts";

/** Decides who may comment on a blog of the viewer's from now on. What was said stays, and may be changed and liked as before. */
export async function setCommenters(
  ctx: MemberContext,
  { id, commentsFrom }: z.output<typeof SetCommenters>,
): Promise<{ commentsFrom: Commenters; message: string }> {
  return ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id });
    if (blog.commentsFrom !== commentsFrom) {
      await setCommentsFrom(tx, blog.id, commentsFrom);
      await tx.fact(blogTopic(blog.id), { kind: "blog.edited" });
      if ([blog.commentsFrom, commentsFrom].includes("approved")) await tellWaiting(tx);
    }
    return { commentsFrom, message: said[commentsFrom] };
  });
}

const said: Record<Commenters, string> = {
  everyone: "Everybody who may read it may comment.",
  approved: "What others write waits until you let it in.",
  followers: "Your followers alone may comment.",
  nobody: "The talk is closed.",
};
