import { SetCommenters } from "../../shared/blogs.ts";
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
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
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
import { setCommenters } from "./commenters.ts";

export const commentProcedures = {
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
};

/** Who may comment on a blog. */
export const commenterProcedures = {
  setCommenters: authedProcedure.input(SetCommenters).mutation(({ ctx, input }) => setCommenters(ctx, input)),
};
