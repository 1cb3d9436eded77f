import { member } from "../trpc.ts";
import { recommendBlogs } from "./recommend.ts";

export const recommendedBlogsProcedure = member
  .meta({ costly: true })
  .query(({ ctx }) => recommendBlogs(ctx));
