import { ReadFurther } from "../../shared/further.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { readFurther } from "./further.ts";
import { recommendBlogs } from "./recommend.ts";

export const recommendationProcedures = {
  further: publicProcedure
    .meta({ costly: true })
    .input(ReadFurther)
    .query(({ ctx, input }) => readFurther(ctx, input)),
  recommended: authedProcedure.meta({ costly: true }).query(({ ctx }) => recommendBlogs(ctx)),
};
