import { blogProcedures } from "./blogs/router.ts";
import { commentsRouter, watchBlogProcedure } from "./comments/router.ts";
import { deleteAccountProcedure, socialRouter, updateSettingsProcedure, watchUserProcedure } from "./social/router.ts";
import { router } from "./trpc.ts";
import { userProcedures } from "./users/router.ts";

export const appRouter = router({
  blogs: router({ ...blogProcedures, live: watchBlogProcedure }),
  comments: commentsRouter,
  social: socialRouter,
  users: router({ ...userProcedures, updateSettings: updateSettingsProcedure, remove: deleteAccountProcedure, live: watchUserProcedure }),
});

export type AppRouter = typeof appRouter;
