import {
  BlogId,
  BlogUpdate,
  CachedSlugs,
  ListBlogs,
  ListByAuthor,
  ListFollowing,
  ListTagged,
  ListOwnBlogs,
  NewBlog,
  ReadBlog,
  SetCommenters,
  Slug,
} from "../../shared/blogs.ts";
import { ListVersions, VersionRef } from "../../shared/versions.ts";
import { publicProcedure, authedProcedure } from "../http/trpc.ts";
import {
  blogCard,
  editBlog,
  listByAuthor,
  listByTag,
  listFeed,
  myBlogs,
  myStats,
  readable,
  readBlog,
} from "./reading.ts";
import { ReadFurther } from "../../shared/further.ts";
import { readFurther } from "../recommendations/further.ts";
import { LinkedSlugs, LookUpEmbed } from "../../shared/embeds.ts";
import { linkedBlogs } from "./linked-blogs.ts";
import { previewBlog } from "../writing/preview.ts";
import { deleteVersion, listVersions, readVersion } from "../history/versions.ts";
import { setLive } from "../writing/live-writing.ts";
import { publish } from "../writing/publish-draft.ts";
import { Search } from "../../shared/search.ts";
import { searchBlogs } from "../search/blogs.ts";
import { fromEtag } from "../writing/precondition.ts";
import { createBlog, updateBlog } from "../writing/service.ts";
import { setCommenters } from "../comments/commenters.ts";
import { listFollowing } from "./following.ts";
import { popularInterests, topicsInUse } from "./topics-in-use.ts";
import { MoveCaret, OpenDraft, PublishDraft, PushCommit, SetLive, DraftSince } from "../../shared/drafts.ts";
import { commitsSince } from "../writing/commits.ts";
import { beginBlog, discardDraft, openDraft, unfinished } from "../writing/drafts.ts";
import { pushCommit } from "../writing/push-commit.ts";
import { moveCaret } from "../writing/live.ts";

export const blogProcedures = {
  list: publicProcedure.input(ListBlogs).query(({ ctx, input }) => listFeed(ctx, input)),
  following: authedProcedure.input(ListFollowing).query(({ ctx, input }) => listFollowing(ctx, input)),
  topicsInUse: publicProcedure.query(({ ctx }) => topicsInUse(ctx)),
  popularInterests: publicProcedure.query(({ ctx }) => popularInterests(ctx)),
  byAuthor: publicProcedure.input(ListByAuthor).query(({ ctx, input }) => listByAuthor(ctx, input)),
  byTag: publicProcedure.input(ListTagged).query(({ ctx, input }) => listByTag(ctx, input)),
  mine: authedProcedure.input(ListOwnBlogs).query(({ ctx, input }) => myBlogs(ctx, input)),
  stats: authedProcedure.query(({ ctx }) => myStats(ctx)),
  search: publicProcedure
    .meta({ costly: true, waits: true })
    .input(Search)
    .query(({ ctx, input }) => searchBlogs(ctx, input)),
  bySlug: publicProcedure.input(ReadBlog).query(({ ctx, input }) => readBlog(ctx, input)),
  readable: publicProcedure.input(CachedSlugs).query(({ ctx, input }) => readable(ctx, input)),
  card: publicProcedure.input(BlogId).query(({ ctx, input }) => blogCard(ctx, input)),
  further: publicProcedure
    .meta({ costly: true })
    .input(ReadFurther)
    .query(({ ctx, input }) => readFurther(ctx, input)),
  linked: publicProcedure.input(LinkedSlugs).query(({ ctx, input }) => linkedBlogs(ctx, input)),
  // A mutation: a query would hold a database snapshot while other servers respond.
  embed: authedProcedure
    .input(LookUpEmbed)
    .mutation(async ({ ctx, input }) => ({ card: await ctx.cards.fetchCard(input.href, ctx.viewer.id) })),
  forEdit: authedProcedure.input(Slug).query(({ ctx, input }) => editBlog(ctx, input)),
  versions: authedProcedure.input(ListVersions).query(({ ctx, input }) => listVersions(ctx, input)),
  version: authedProcedure.input(VersionRef).query(({ ctx, input }) => readVersion(ctx, input)),
  deleteVersion: authedProcedure.input(VersionRef).mutation(({ ctx, input }) => deleteVersion(ctx, input)),
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
  setLive: authedProcedure.input(SetLive).mutation(({ ctx, input }) => setLive(ctx, input)),
  discardDraft: authedProcedure.input(OpenDraft).mutation(({ ctx, input }) => discardDraft(ctx, input)),
  setCommenters: authedProcedure.input(SetCommenters).mutation(({ ctx, input }) => setCommenters(ctx, input)),
  update: authedProcedure
    .meta({ large: true })
    .input(BlogUpdate)
    .mutation(({ ctx, input }) =>
      updateBlog(ctx, input, input.etag === undefined ? undefined : fromEtag(input.etag)),
    ),
};
