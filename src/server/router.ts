import { blogProcedures } from "./blogs/router.ts";
import { searchBlogsProcedure } from "./blogs/search-router.ts";
import { commentsRouter, watchBlogProcedure } from "./comments/router.ts";
import {
  removalProcedures,
  socialRouter,
  updateSettingsProcedure,
  watchUserProcedure,
} from "./social/router.ts";
import { recommendedBlogsProcedure } from "./social/recommend-router.ts";
import { router } from "./trpc.ts";
import { userProcedures } from "./users/router.ts";
import { searchPeopleProcedure } from "./users/search-router.ts";

export const appRouter = router({
  blogs: router({
    ...blogProcedures,
    search: searchBlogsProcedure,
    recommended: recommendedBlogsProcedure,
    live: watchBlogProcedure,
  }),
  comments: commentsRouter,
  social: socialRouter,
  users: router({
    ...userProcedures,
    search: searchPeopleProcedure,
    updateSettings: updateSettingsProcedure,
    ...removalProcedures,
    live: watchUserProcedure,
  }),
});

export type AppRouter = typeof appRouter;
