import {
  BlogId,
  BlogUpdate,
  KeptSlugs,
  ListBlogs,
  ListByAuthor,
  ListFollowing,
  ListTagged,
  MyBlogs,
  NewBlog,
  ReadBlog,
  SetCommenters,
  Slug,
} from "../../shared/blogs.ts";
import { ListRevisions, OneRevision } from "../../shared/revisions.ts";
import { anyone, member } from "../trpc.ts";
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
import { readFurther } from "./further.ts";
import { LinkedSlugs, LookUpEmbed } from "../../shared/embeds.ts";
import { linkedBlogs } from "./linked-blogs.ts";
import { previewBlog } from "./preview.ts";
import { deleteRevision, listRevisions, readRevision } from "./revisions.ts";
import { setLive } from "./live-writing.ts";
import { createBlog, saveForm } from "./service.ts";
import { setCommenters } from "./comment-policy.ts";
import { listFollowing } from "./following.ts";
import { topicsInUse } from "./topics-in-use.ts";
import {
  MoveCaret,
  OpenWriting,
  PublishWriting,
  PushCommit,
  SetLive,
  WritingSince,
} from "../../shared/writing.ts";
import { commitsSince, discardWriting, openWriting, pushCommit, unfinished } from "./writing.ts";
import { moveCaret } from "./writing-here.ts";
import { beginBlog, publishWriting } from "./writing-save.ts";

export const blogProcedures = {
  list: anyone.input(ListBlogs).query(({ ctx, input }) => listFeed(ctx, input)),
  following: member.input(ListFollowing).query(({ ctx, input }) => listFollowing(ctx, input)),
  topicsInUse: anyone.query(({ ctx }) => topicsInUse(ctx)),
  byAuthor: anyone.input(ListByAuthor).query(({ ctx, input }) => listByAuthor(ctx, input)),
  byTag: anyone.input(ListTagged).query(({ ctx, input }) => listByTag(ctx, input)),
  mine: member.input(MyBlogs).query(({ ctx, input }) => myBlogs(ctx, input)),
  stats: member.query(({ ctx }) => myStats(ctx)),
  bySlug: anyone.input(ReadBlog).query(({ ctx, input }) => readBlog(ctx, input)),
  readable: anyone.input(KeptSlugs).query(({ ctx, input }) => readable(ctx, input)),
  card: anyone.input(BlogId).query(({ ctx, input }) => blogCard(ctx, input)),
  further: anyone
    .meta({ costly: true })
    .input(ReadFurther)
    .query(({ ctx, input }) => readFurther(ctx, input)),
  linked: anyone.input(LinkedSlugs).query(({ ctx, input }) => linkedBlogs(ctx, input)),
  // No query: those hold a snapshot of the store, and this waits for others.
  embed: member
    .input(LookUpEmbed)
    .mutation(async ({ ctx, input }) => ({ card: await ctx.cards.look(input.href, ctx.viewer.id) })),
  forEdit: member.input(Slug).query(({ ctx, input }) => editBlog(ctx, input)),
  revisions: member.input(ListRevisions).query(({ ctx, input }) => listRevisions(ctx, input)),
  revision: member.input(OneRevision).query(({ ctx, input }) => readRevision(ctx, input)),
  deleteRevision: member.input(OneRevision).mutation(({ ctx, input }) => deleteRevision(ctx, input)),
  create: member.input(NewBlog).mutation(({ ctx, input }) => createBlog(ctx, input)),
  begin: member.input(OpenWriting).mutation(({ ctx, input }) => beginBlog(ctx, input)),
  unfinished: member.query(({ ctx }) => unfinished(ctx)),
  openWriting: member.input(OpenWriting).mutation(({ ctx, input }) => openWriting(ctx, input)),
  commitsSince: member.input(WritingSince).query(({ ctx, input }) => commitsSince(ctx, input)),
  preview: member.input(OpenWriting).query(({ ctx, input }) => previewBlog(ctx, input)),
  pushCommit: member.input(PushCommit).mutation(({ ctx, input }) => pushCommit(ctx, input)),
  here: member
    .meta({ fleeting: true })
    .input(MoveCaret)
    .mutation(({ ctx, input }) => moveCaret(ctx, input)),
  publishWriting: member.input(PublishWriting).mutation(({ ctx, input }) => publishWriting(ctx, input)),
  setLive: member.input(SetLive).mutation(({ ctx, input }) => setLive(ctx, input)),
  discardWriting: member.input(OpenWriting).mutation(({ ctx, input }) => discardWriting(ctx, input)),
  setCommenters: member.input(SetCommenters).mutation(({ ctx, input }) => setCommenters(ctx, input)),
  update: member.input(BlogUpdate).mutation(({ ctx, input }) => saveForm(ctx, input)),
};
