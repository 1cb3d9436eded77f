import { member } from "../trpc.ts";
import { recommendBlogs } from "./recommend.ts";

export const recommendedBlogsProcedure = member.query(({ ctx }) => recommendBlogs(ctx));
