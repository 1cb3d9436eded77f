import { Search } from "../../shared/search.ts";
import { publicProcedure } from "../http/trpc.ts";
import { searchBlogs } from "./blogs.ts";
import { searchPeople } from "./people.ts";

export const blogSearchProcedures = {
  search: publicProcedure
    .meta({ costly: true, waits: true })
    .input(Search)
    .query(({ ctx, input }) => searchBlogs(ctx, input)),
};

export const peopleSearchProcedures = {
  search: publicProcedure
    .meta({ costly: true, waits: true })
    .input(Search)
    .query(({ ctx, input }) => searchPeople(ctx, input)),
};
