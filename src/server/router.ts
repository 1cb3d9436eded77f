import type { AnyProcedure } from "@trpc/server";
import { administrationRouter } from "./administration/router.ts";
import { blogProcedures } from "./blogs/router.ts";
import { commentsRouter, showcaseProcedure } from "./comments/router.ts";
import {
  authorProcedures,
  recommendedBlogsProcedure,
  removeAccountProcedures,
  removeBlogProcedure,
  socialRouter,
  updateSettingsProcedure,
} from "./social/router.ts";
import { importProcedures } from "./imports/router.ts";
import { exportsRouter } from "./exports/router.ts";
import { liveRouter } from "./live/router.ts";
import { moderationRouter } from "./moderation/router.ts";
import { router, type Meta, type WithCursors } from "./http/trpc.ts";
import { pushRouter, userProcedures } from "./accounts/router.ts";

const procedures = router({
  blogs: router({
    ...blogProcedures,
    recommended: recommendedBlogsProcedure,
    showcase: showcaseProcedure,
    ...authorProcedures,
    remove: removeBlogProcedure,
  }),
  comments: commentsRouter,
  imports: router(importProcedures),
  social: socialRouter,
  live: liveRouter,
  moderation: moderationRouter,
  administration: administrationRouter,
  push: pushRouter,
  exports: exportsRouter,
  users: router({
    ...userProcedures,
    updateSettings: updateSettingsProcedure,
    ...removeAccountProcedures,
  }),
});

/** For callers, every response has a cursor. */
export type AppRouter = WithCursors<typeof procedures>;

export const appRouter = procedures as unknown as AppRouter;

/** Such as "blogs.list". */
export const procedureNames: ReadonlySet<string> = new Set(Object.keys(procedures._def.procedures));

/** Those whose input may be as long as a text. */
export const largeProcedures: ReadonlySet<string> = new Set(
  Object.entries(procedures._def.procedures as unknown as Record<string, AnyProcedure>).flatMap(
    ([name, { _def }]) => ((_def.meta as Meta | undefined)?.large ? [name] : []),
  ),
);
