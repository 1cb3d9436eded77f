import { z } from "zod";
import { CommentText, type ViewerComment } from "../../shared/comments.ts";
import { BlogKey, Id } from "../../shared/users.ts";
import { newId } from "../runtime/ids.ts";
import type { Endpoints } from "./endpoints.ts";
import { restComment } from "./comment-lists.ts";
import { CommentShape, MessageShape } from "./shapes.ts";
import { deleteComment, editComment, likeComment, postComment } from "../comments/service.ts";

const OfComment = z.object({ commentId: Id });

const postedMessage = (noun: string, { pending }: ViewerComment): string =>
  pending ? `Your ${noun} waits for the author’s approval.` : `Your ${noun} is posted.`;

export function commentCalls(calls: Endpoints): void {
  calls.member("POST", "/blogs/comment/:blogId", {
    summary: "Comment on a blog",
    tag: "Comments",
    params: z.object({ blogId: BlogKey }),
    body: z.strictObject({ comment: CommentText }),
    answer: MessageShape.extend({ comment: CommentShape }),
    handle: async (ctx, { params, body }) => {
      const comment = await postComment(ctx, {
        id: newId(),
        blogId: params.blogId,
        parentId: null,
        text: body.comment,
      });
      return {
        success: true,
        message: postedMessage("comment", comment),
        comment: await restComment(ctx, comment, { isNew: true }),
      };
    },
  });
  calls.member("POST", "/comment/:commentId/:blogId", {
    summary: "Reply to a comment",
    tag: "Comments",
    params: z.object({ commentId: Id, blogId: BlogKey }),
    body: z.strictObject({ reply: CommentText }),
    answer: MessageShape.extend({ reply: CommentShape }),
    handle: async (ctx, { params, body }) => {
      const reply = await postComment(ctx, {
        id: newId(),
        blogId: params.blogId,
        parentId: params.commentId,
        text: body.reply,
      });
      return {
        success: true,
        message: postedMessage("reply", reply),
        reply: await restComment(ctx, reply, { isNew: true }),
      };
    },
  });
  calls.member("PATCH", "/blogs/like-comment/:commentId", {
    summary: "Like or unlike a comment",
    tag: "Comments",
    params: OfComment,
    answer: MessageShape.extend({ isLiked: z.boolean() }),
    handle: async (ctx, { params }) => {
      const { liked } = await likeComment(ctx, { id: params.commentId, liked: "toggle" });
      return {
        success: true,
        message: liked ? "You like this comment." : "You no longer like this comment.",
        isLiked: liked,
      };
    },
  });
  calls.member("PATCH", "/blogs/edit-comment/:commentId", {
    summary: "Edit your comment",
    tag: "Comments",
    params: OfComment,
    body: z.strictObject({ updatedCommentContent: CommentText }),
    answer: MessageShape.extend({ updatedComment: CommentShape }),
    handle: async (ctx, { params, body }) => {
      const comment = await editComment(ctx, { id: params.commentId, text: body.updatedCommentContent });
      return {
        success: true,
        message: "Comment updated.",
        updatedComment: await restComment(ctx, comment, { isNew: false }),
      };
    },
  });
  calls.member("DELETE", "/blogs/comment/:commentId", {
    summary: "Delete a comment with its replies",
    tag: "Comments",
    params: OfComment,
    answer: MessageShape,
    handle: async (ctx, { params }) => ({
      success: true,
      message: (await deleteComment(ctx, { id: params.commentId })).message,
    }),
  });
}
