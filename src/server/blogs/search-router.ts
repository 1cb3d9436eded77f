import { Search } from "../../shared/search.ts";
import { anyone } from "../trpc.ts";
import { searchBlogs } from "./search.ts";

export const searchBlogsProcedure = anyone
  .meta({ costly: true, waits: true })
  .input(Search)
  .query(({ ctx, input }) => searchBlogs(ctx, input));
