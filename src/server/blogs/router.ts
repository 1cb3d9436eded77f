import {
  BlogId,
  CachedSlugs,
  ListBlogs,
  ListByAuthor,
  ListFollowing,
  ListOwnBlogs,
  ListTagged,
  ReadBlog,
  RemoveBlog,
  Slug,
} from "../../shared/blogs.ts";
import { CommentsOf } from "../../shared/comments.ts";
import { LinkedSlugs } from "../../shared/embeds.ts";
import { SetReadingPosition } from "../../shared/reading-position.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { discardBlog } from "./delete-blog.ts";
import { listFollowing } from "./following-feed.ts";
import { linkedBlogs } from "./linked-blogs.ts";
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
import { readingPosition, storeReadingPosition } from "./reading-positions.ts";
import { showcase } from "./showcase.ts";
import { popularInterests, topicsInUse } from "./topics-in-use.ts";

export const blogProcedures = {
  list: publicProcedure.input(ListBlogs).query(({ ctx, input }) => listFeed(ctx, input)),
  following: authedProcedure.input(ListFollowing).query(({ ctx, input }) => listFollowing(ctx, input)),
  topicsInUse: publicProcedure.query(({ ctx }) => topicsInUse(ctx)),
  popularInterests: publicProcedure.query(({ ctx }) => popularInterests(ctx)),
  byAuthor: publicProcedure.input(ListByAuthor).query(({ ctx, input }) => listByAuthor(ctx, input)),
  byTag: publicProcedure.input(ListTagged).query(({ ctx, input }) => listByTag(ctx, input)),
  mine: authedProcedure.input(ListOwnBlogs).query(({ ctx, input }) => myBlogs(ctx, input)),
  stats: authedProcedure.query(({ ctx }) => myStats(ctx)),
  bySlug: publicProcedure.input(ReadBlog).query(({ ctx, input }) => readBlog(ctx, input)),
  readable: publicProcedure.input(CachedSlugs).query(({ ctx, input }) => readable(ctx, input)),
  card: publicProcedure.input(BlogId).query(({ ctx, input }) => blogCard(ctx, input)),
  linked: publicProcedure.input(LinkedSlugs).query(({ ctx, input }) => linkedBlogs(ctx, input)),
  forEdit: authedProcedure.input(Slug).query(({ ctx, input }) => editBlog(ctx, input)),
  showcase: publicProcedure.query(({ ctx }) => showcase(ctx)),
  remove: authedProcedure.input(RemoveBlog).mutation(({ ctx, input }) => discardBlog(ctx, input)),
};

export const readingPositionProcedures = {
  place: authedProcedure.input(CommentsOf).query(({ ctx, input }) => readingPosition(ctx, input)),
  keepPosition: authedProcedure
    .meta({ fleeting: true })
    .input(SetReadingPosition)
    .mutation(({ ctx, input }) => storeReadingPosition(ctx, input)),
};
