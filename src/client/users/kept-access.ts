import type { AccessFacts, OpenSession } from "../../shared/users.ts";
import { askAgain, kept } from "../live/kept.ts";
import { keepAlso } from "../live/live.ts";

/** Where and how one signs in is asked for again whenever it changes, in whichever window. */
keepAlso({
  "users.sessions": kept<{ sessions: OpenSession[] }>({
    topics: () => ["me"],
    on: { "viewer.signInChanged": askAgain },
  }),
  "users.ownFeed": kept<{ address: string }>({
    topics: () => ["me"],
    on: { "viewer.signInChanged": askAgain },
  }),
  "users.access": kept<AccessFacts>({
    topics: () => ["me"],
    on: { "viewer.signInChanged": askAgain, "viewer.profileChanged": askAgain },
  }),
});
