import { Search } from "../../shared/search.ts";
import { publicProcedure } from "../http/trpc.ts";
import { searchPeople } from "./search.ts";

export const searchPeopleProcedure = publicProcedure
  .meta({ costly: true, waits: true })
  .input(Search)
  .query(({ ctx, input }) => searchPeople(ctx, input));
