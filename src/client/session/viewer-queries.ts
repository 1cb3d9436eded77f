import type { SiteInfo, Viewer } from "../../shared/users.ts";
import { patch, patchPerson } from "../live/queries/patch.ts";
import { refetch, liveQuery, Incomplete } from "../live/queries/live-query.ts";
import type { LiveQueries } from "../live/queries/live-query.ts";

/** The event carries name and picture; the rest of the account is private and fetched. */
const me = liveQuery<Viewer>({
  topics: () => ["me"],
  on: {
    "viewer.profileChanged": (viewer, { person }) => new Incomplete(patchPerson(viewer, person)),
    "settings.changed": (viewer, { settings }) => patch<Viewer>(viewer, settings),
  },
});

/** The site's name and design. Who may sign up is fetched with each page. */
const site = liveQuery<SiteInfo>({ topics: () => ["feed"], on: { "site.changed": refetch } });

/** The live queries that every page has. */
export const viewerQueries: LiveQueries = { "users.me": me, "users.site": site };
