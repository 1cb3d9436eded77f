import type { z } from "zod";
import type { CommentMark, Mark } from "../../shared/comments.ts";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext } from "../context.ts";
import { blogTopic } from "../live/stored-events.ts";
import { recipientsOfComments } from "../notifications/recipient-queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { openComment } from "./access.ts";
import { canMarkComment } from "./policy.ts";
import { pinnedOf, updateComment } from "./queries.ts";

/** Pins or hides a comment, or removes the mark, for the blog's author. Pinning unpins the previous one. */
export async function markComment(
  ctx: MemberContext,
  { id, mark }: z.output<typeof CommentMark>,
): Promise<{ mark: Mark | null }> {
  return ctx.database.write(async (tx) => {
    const { comment, relation } = await openComment(tx, ctx.viewer, id);
    if (!canMarkComment(relation))
      throw new AppError("forbidden", "Only the author of the blog can pin or hide a comment.");
    if (mark === "pinned" && comment.parentId !== null)
      throw new AppError("bad_request", "A reply stays where it is. Please pin the comment that it answers.");
    if (comment.mark === mark) return { mark };
    const before = mark === "pinned" ? await pinnedOf(tx, comment.blogId) : undefined;
    if (before) await updateComment(tx, before, { mark: null });
    await updateComment(tx, id, { mark });
    await tx.emit(blogTopic(comment.blogId), { kind: "comment.marked", commentId: id });
    // Notifications quote comments that are not hidden.
    if ([comment.mark, mark].includes("hidden"))
      await publishWithdrawn(tx, await recipientsOfComments(tx, [id]));
    return { mark };
  });
}
