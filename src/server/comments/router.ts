import {
  CommentEdit,
  CommentId,
  CommentLike,
  CommentMark,
  Replying,
  ListComments,
  ListReplies,
  NewComment,
} from "../../shared/comments.ts";
import { publicProcedure, authedProcedure, router } from "../http/trpc.ts";
import { approveComment } from "./pending.ts";
import {
  markComment,
  countReplies,
  deleteComment,
  editComment,
  likeComment,
  postComment,
  publishReplying,
} from "./service.ts";
import { listComments, listReplies } from "./reading.ts";
import { showcase } from "../blogs/showcase.ts";

/** Part of the blogs router; here since it returns comments. */
export const showcaseProcedure = publicProcedure.query(({ ctx }) => showcase(ctx));

export const commentsRouter = router({
  list: publicProcedure
    .meta({ costly: true })
    .input(ListComments)
    .query(({ ctx, input }) => listComments(ctx, input)),
  replies: publicProcedure.input(ListReplies).query(({ ctx, input }) => listReplies(ctx, input)),
  countReplies: authedProcedure.input(CommentId).query(({ ctx, input }) => countReplies(ctx, input)),
  create: authedProcedure.input(NewComment).mutation(({ ctx, input }) => postComment(ctx, input)),
  replying: authedProcedure.input(Replying).mutation(({ ctx, input }) => publishReplying(ctx, input)),
  edit: authedProcedure.input(CommentEdit).mutation(({ ctx, input }) => editComment(ctx, input)),
  remove: authedProcedure.input(CommentId).mutation(({ ctx, input }) => deleteComment(ctx, input)),
  mark: authedProcedure.input(CommentMark).mutation(({ ctx, input }) => markComment(ctx, input)),
  approve: authedProcedure.input(CommentId).mutation(({ ctx, input }) => approveComment(ctx, input)),
  like: authedProcedure.input(CommentLike).mutation(({ ctx, input }) => likeComment(ctx, input)),
});
