import type { SignInMethods, OpenSession } from "../../shared/users.ts";
import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

/** Sessions and ways to sign in are fetched again whenever they change, on any device. */
registerLiveQueries({
  "users.sessions": liveQuery<{ sessions: OpenSession[] }>({
    topics: () => ["me"],
    on: { "viewer.signInChanged": refetch },
  }),
  "users.access": liveQuery<SignInMethods>({
    topics: () => ["me"],
    on: { "viewer.signInChanged": refetch, "viewer.profileChanged": refetch },
  }),
});
