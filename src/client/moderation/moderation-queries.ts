import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

/** Every list in `/admin` is fetched again when a moderator has acted or something was reported. */
const list = liveQuery<object>({
  topics: () => ["me"],
  on: { "viewer.reportsChanged": refetch },
  jitterMs: 300,
});
/** A pending comment has an event of its own, so that no search through all comments is repeated for it. */
const pendingComments: typeof list = { ...list, on: { ...list.on, "viewer.pendingChanged": refetch } };

registerLiveQueries({
  "moderation.queue": list,
  "moderation.blogs": list,
  "moderation.readBlog": list,
  "moderation.comments": list,
  "moderation.pendingComments": pendingComments,
  "moderation.people": list,
  "moderation.notes": list,
  "moderation.signupRequests": list,
  "moderation.signupSettings": list,
  "moderation.log": list,
  "moderation.site": list,
  "moderation.jobs": list,
  "moderation.numbers": list,
  "moderation.disk": list,
  "moderation.setup": list,
});
