import { Search } from "../../shared/search.ts";
import { anyone } from "../trpc.ts";
import { searchLive } from "./search.ts";

export const searchBlogsProcedure = anyone
  .meta({ costly: true })
  .input(Search)
  .query(({ ctx, input }) => searchLive(ctx, input));
