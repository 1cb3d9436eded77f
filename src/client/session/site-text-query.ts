import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

/** The site's texts are fetched again whenever the site's settings change. */
registerLiveQueries({
  "users.siteText": liveQuery<object>({ topics: () => ["feed"], on: { "site.changed": refetch } }),
});
