import { Search } from "../../shared/search.ts";
import { publicProcedure } from "../http/trpc.ts";
import { searchBlogs } from "./search.ts";

export const searchBlogsProcedure = publicProcedure
  .meta({ costly: true, waits: true })
  .input(Search)
  .query(({ ctx, input }) => searchBlogs(ctx, input));
