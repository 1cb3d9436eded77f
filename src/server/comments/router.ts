import {
  CommentEdit,
  CommentId,
  CommentLike,
  CommentMark,
  CommentsOf,
  ListComments,
  ListReplies,
  NewComment,
} from "../../shared/comments.ts";
import { anyone, member, router } from "../trpc.ts";
import { approveComment } from "./pending.ts";
import { markComment } from "./mark.ts";
import { listComments, listReplies } from "./reading.ts";
import {
  countReplies,
  deleteComment,
  editComment,
  likeComment,
  postComment,
  sayReplying,
} from "./service.ts";
import { showcase } from "./showcase.ts";

/** A part of what blogs answer: it shows what is said of them. */
export const showcaseProcedure = anyone.query(({ ctx }) => showcase(ctx));

export const commentsRouter = router({
  list: anyone
    .meta({ costly: true })
    .input(ListComments)
    .query(({ ctx, input }) => listComments(ctx, input)),
  replies: anyone.input(ListReplies).query(({ ctx, input }) => listReplies(ctx, input)),
  countReplies: member.input(CommentId).query(({ ctx, input }) => countReplies(ctx, input)),
  create: member.input(NewComment).mutation(({ ctx, input }) => postComment(ctx, input)),
  replying: member.input(CommentsOf).mutation(({ ctx, input }) => sayReplying(ctx, input)),
  edit: member.input(CommentEdit).mutation(({ ctx, input }) => editComment(ctx, input)),
  remove: member.input(CommentId).mutation(({ ctx, input }) => deleteComment(ctx, input)),
  mark: member.input(CommentMark).mutation(({ ctx, input }) => markComment(ctx, input)),
  approve: member.input(CommentId).mutation(({ ctx, input }) => approveComment(ctx, input)),
  like: member.input(CommentLike).mutation(({ ctx, input }) => likeComment(ctx, input)),
});
