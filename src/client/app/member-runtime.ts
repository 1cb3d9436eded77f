import { registerLiveQueries, type MemberRuntime } from "../live/live.ts";
import { OptimisticMutations } from "../live/mutations/optimistic-mutations.ts";
import { createOfflineQueue } from "../live/mutations/offline-queue-loader.ts";
import type { OfflineMutations } from "../live/mutations/offline-queue-loader.ts";
import { showFailure } from "../session/failure.ts";
import { notificationQueries } from "../notifications/notification-queries.ts";

// In this code, which each member's tab has: a browser may not fetch code again that failed once.
registerLiveQueries(notificationQueries);

/** The mutations of the offline queue, loaded when queued. */
const offlineMutations: OfflineMutations = {
  "comments.create": async (context) =>
    (await import("../comments/comment-mutations.ts")).createComment(context),
  "comments.like": async (context) => (await import("../comments/comment-mutations.ts")).likeComment(context),
  "blogs.postEntry": async (context) => (await import("../entries/entry-mutations.ts")).postEntry(context),
  "blogs.likeEntry": async (context) => (await import("../entries/entry-mutations.ts")).likeEntry(context),
  "comments.deleteUnsent": async (context) =>
    (await import("../comments/comment-mutations.ts")).deleteUnsent(context),
  "social.likeBlog": async (context) => (await import("../blogs/blog-mutations.ts")).likeBlog(context),
  "social.saveBlog": async (context) => (await import("../blogs/blog-mutations.ts")).saveBlog(context),
};

/** Creates a member's mutations. Guests load this when they sign in. */
export const createMemberRuntime: MemberRuntime = (store, context) =>
  new OptimisticMutations(store, createOfflineQueue(offlineMutations, context), (error, retry) =>
    showFailure(error, context.navigate, retry),
  );
