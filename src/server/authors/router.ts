import { AnswerInvitation, InviteAuthor, RemoveAuthor } from "../../shared/authors.ts";
import { BlogId } from "../../shared/blogs.ts";
import { authedProcedure } from "../http/trpc.ts";
import { answerInvitation, authorInvitations, blogAuthors, inviteAuthor, removeAuthor } from "./service.ts";

export const authorProcedures = {
  authors: authedProcedure.input(BlogId).query(({ ctx, input }) => blogAuthors(ctx, input)),
  invitations: authedProcedure.query(({ ctx }) => authorInvitations(ctx)),
  inviteAuthor: authedProcedure.input(InviteAuthor).mutation(({ ctx, input }) => inviteAuthor(ctx, input)),
  answerInvitation: authedProcedure
    .input(AnswerInvitation)
    .mutation(({ ctx, input }) => answerInvitation(ctx, input)),
  removeAuthor: authedProcedure.input(RemoveAuthor).mutation(({ ctx, input }) => removeAuthor(ctx, input)),
};
