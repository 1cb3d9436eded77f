import { Search } from "../../shared/search.ts";
import { anyone } from "../trpc.ts";
import { searchPeople } from "./search.ts";

export const searchPeopleProcedure = anyone
  .meta({ costly: true, waits: true })
  .input(Search)
  .query(({ ctx, input }) => searchPeople(ctx, input));
