import type { AnyProcedure } from "@trpc/server";
import { accountProcedures, pushProcedures } from "./accounts/router.ts";
import { authorProcedures } from "./authors/router.ts";
import { blockProcedures } from "./blocks/router.ts";
import { blogProcedures, readingPositionProcedures } from "./blogs/router.ts";
import { commenterProcedures, commentProcedures } from "./comments/router.ts";
import { entryProcedures } from "./entries/router.ts";
import { exportProcedures } from "./exports/router.ts";
import { followProcedures } from "./follows/router.ts";
import { historyProcedures } from "./history/router.ts";
import { router, type Meta, type WithCursors } from "./http/trpc.ts";
import { importProcedures } from "./imports/router.ts";
import { likeProcedures } from "./likes/router.ts";
import { moderationProcedures } from "./moderation/router.ts";
import { notificationProcedures } from "./notifications/router.ts";
import { profileProcedures } from "./profiles/router.ts";
import { recommendationProcedures } from "./recommendations/router.ts";
import { blogSearchProcedures, peopleSearchProcedures } from "./search/router.ts";
import { signInProcedures } from "./sign-in/router.ts";
import { administrationProcedures, siteProcedures } from "./site/router.ts";
import { liveProcedures } from "./topics/router.ts";
import { writingProcedures } from "./writing/router.ts";

const procedures = router({
  blogs: router({
    ...blogProcedures,
    ...blogSearchProcedures,
    ...writingProcedures,
    ...historyProcedures,
    ...authorProcedures,
    ...entryProcedures,
    ...recommendationProcedures,
    ...commenterProcedures,
  }),
  comments: router(commentProcedures),
  social: router({
    ...likeProcedures,
    ...followProcedures,
    ...blockProcedures,
    ...notificationProcedures,
    ...readingPositionProcedures,
  }),
  users: router({
    ...siteProcedures,
    ...profileProcedures,
    ...peopleSearchProcedures,
    ...signInProcedures,
    ...accountProcedures,
  }),
  administration: router(administrationProcedures),
  exports: router(exportProcedures),
  imports: router(importProcedures),
  live: router(liveProcedures),
  moderation: router(moderationProcedures),
  push: router(pushProcedures),
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
