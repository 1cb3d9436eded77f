import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

/** What administrators set beside the site's facts. */
const ofSite = liveQuery<object>({ topics: () => ["feed"], on: { "site.changed": refetch } });

registerLiveQueries({
  "users.siteText": ofSite,
  "users.interestGroups": ofSite,
  "blogs.popularInterests": ofSite,
});
