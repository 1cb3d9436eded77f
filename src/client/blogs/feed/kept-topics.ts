import type { TopicsInUse } from "../../../shared/feed.ts";
import { askAgain, kept } from "../../live/kept.ts";
import { keepAlso } from "../../live/live.ts";

/** Which tags many use, the server knows: it is asked where something that has tags came, went or has others. */
export const keptTopics = kept<TopicsInUse>({
  topics: () => ["search", "feed"],
  on: {
    "search.blogs": (list, { tags }) => (tags?.length === 0 ? list : askAgain()),
    "person.gone": askAgain,
  },
  jitterMs: 2_000,
});

keepAlso({ "blogs.topicsInUse": keptTopics });
