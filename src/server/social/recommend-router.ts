import { authedProcedure } from "../http/trpc.ts";
import { recommendBlogs } from "./recommend.ts";

export const recommendedBlogsProcedure = authedProcedure
  .meta({ costly: true })
  .query(({ ctx }) => recommendBlogs(ctx));
