import { LikeBlog, SaveBlog } from "../../shared/social.ts";
import { authedProcedure } from "../http/trpc.ts";
import { likeBlog, saveBlog } from "./service.ts";

export const likeProcedures = {
  likeBlog: authedProcedure.input(LikeBlog).mutation(({ ctx, input }) => likeBlog(ctx, input)),
  saveBlog: authedProcedure.input(SaveBlog).mutation(({ ctx, input }) => saveBlog(ctx, input)),
};
