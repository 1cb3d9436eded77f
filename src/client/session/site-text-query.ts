import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

registerLiveQueries({
  "users.siteText": liveQuery<object>({ topics: () => ["feed"], on: { "site.changed": refetch } }),
});
