import { BlogUpdate, NewBlog } from "../../shared/blogs.ts";
import { DraftSince, MoveCaret, OpenDraft, PublishDraft, PushCommit } from "../../shared/drafts.ts";
import { LookUpEmbed } from "../../shared/embeds.ts";
import { authedProcedure } from "../http/trpc.ts";
import { commitsSince } from "./commits.ts";
import { beginBlog, discardDraft, openDraft, unfinished } from "./drafts.ts";
import { moveCaret } from "./live.ts";
import { fromEtag } from "./precondition.ts";
import { previewBlog } from "./preview.ts";
import { publish } from "./publish-draft.ts";
import { pushCommit } from "./push-commit.ts";
import { createBlog, updateBlog } from "./service.ts";

export const writingProcedures = {
  // A mutation: a query would hold a database snapshot while other servers respond.
  embed: authedProcedure
    .input(LookUpEmbed)
    .mutation(async ({ ctx, input }) => ({ card: await ctx.cards.fetchCard(input.href, ctx.viewer.id) })),
  create: authedProcedure
    .meta({ large: true })
    .input(NewBlog)
    .mutation(({ ctx, input }) => createBlog(ctx, input)),
  begin: authedProcedure.input(OpenDraft).mutation(({ ctx, input }) => beginBlog(ctx, input)),
  unfinished: authedProcedure.query(({ ctx }) => unfinished(ctx)),
  openDraft: authedProcedure.input(OpenDraft).mutation(({ ctx, input }) => openDraft(ctx, input)),
  commitsSince: authedProcedure.input(DraftSince).query(({ ctx, input }) => commitsSince(ctx, input)),
  preview: authedProcedure.input(OpenDraft).query(({ ctx, input }) => previewBlog(ctx, input)),
  pushCommit: authedProcedure
    .meta({ large: true })
    .input(PushCommit)
    .mutation(({ ctx, input }) => pushCommit(ctx, input)),
  here: authedProcedure
    .meta({ fleeting: true })
    .input(MoveCaret)
    .mutation(({ ctx, input }) => moveCaret(ctx, input)),
  publish: authedProcedure.input(PublishDraft).mutation(({ ctx, input }) => publish(ctx, input)),
  discardDraft: authedProcedure.input(OpenDraft).mutation(({ ctx, input }) => discardDraft(ctx, input)),
  update: authedProcedure
    .meta({ large: true })
    .input(BlogUpdate)
    .mutation(({ ctx, input }) =>
      updateBlog(ctx, input, input.etag === undefined ? undefined : fromEtag(input.etag)),
    ),
};
