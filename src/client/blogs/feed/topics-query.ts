import type { TopicsInUse } from "../../../shared/feed.ts";
import { refetch, liveQuery } from "../../live/queries/live-query.ts";
import { registerLiveQueries } from "../../live/live.ts";

/** Only the server knows the most used tags: they are fetched when a blog with tags appears, goes or changes them. */
export const topicsQuery = liveQuery<TopicsInUse>({
  topics: () => ["search", "feed"],
  on: {
    "search.blogs": (list, { tags }) => (tags?.length === 0 ? list : refetch()),
    "person.gone": refetch,
    // Recommended topics are not among them.
    "site.changed": refetch,
  },
  jitterMs: 2_000,
});

registerLiveQueries({ "blogs.topicsInUse": topicsQuery });
