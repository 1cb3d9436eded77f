import {
  BlogId,
  BlogUpdate,
  KeptSlugs,
  ListBlogs,
  ListByAuthor,
  MyBlogs,
  NewBlog,
  SetCommenters,
  Slug,
} from "../../shared/blogs.ts";
import { anyone, member } from "../trpc.ts";
import {
  blogCard,
  editBlog,
  listBlogs,
  listByAuthor,
  myBlogs,
  myStats,
  readable,
  readBlog,
} from "./reading.ts";
import { createBlog, saveForm } from "./service.ts";
import { setCommenters } from "./talk.ts";

export const blogProcedures = {
  list: anyone.input(ListBlogs).query(({ ctx, input }) => listBlogs(ctx, input)),
  byAuthor: anyone.input(ListByAuthor).query(({ ctx, input }) => listByAuthor(ctx, input)),
  mine: member.input(MyBlogs).query(({ ctx, input }) => myBlogs(ctx, input)),
  stats: member.query(({ ctx }) => myStats(ctx)),
  bySlug: anyone.input(Slug).query(({ ctx, input }) => readBlog(ctx, input)),
  readable: anyone.input(KeptSlugs).query(({ ctx, input }) => readable(ctx, input)),
  card: anyone.input(BlogId).query(({ ctx, input }) => blogCard(ctx, input)),
  forEdit: member.input(Slug).query(({ ctx, input }) => editBlog(ctx, input)),
  create: member.input(NewBlog).mutation(({ ctx, input }) => createBlog(ctx, input)),
  setCommenters: member.input(SetCommenters).mutation(({ ctx, input }) => setCommenters(ctx, input)),
  update: member.input(BlogUpdate).mutation(({ ctx, input }) => saveForm(ctx, input)),
};
