import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

/** Every list in `/admin` is fetched again when a moderator has acted or something was reported. */
export const staffList = liveQuery<object>({
  topics: () => ["me"],
  on: { "viewer.reportsChanged": refetch },
  jitterMs: 300,
});
/** A pending comment has an event of its own, so that the other lists are not fetched for it. */
const pendingComments: typeof staffList = {
  ...staffList,
  on: { ...staffList.on, "viewer.pendingChanged": refetch },
};

registerLiveQueries({
  "moderation.queue": staffList,
  "moderation.blogs": staffList,
  "moderation.readBlog": staffList,
  "moderation.comments": staffList,
  "moderation.pendingComments": pendingComments,
  "moderation.people": staffList,
  "moderation.notes": staffList,
  "moderation.signupRequests": staffList,
  "moderation.log": staffList,
});
