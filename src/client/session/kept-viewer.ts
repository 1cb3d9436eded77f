import type { SiteFacts, Viewer } from "../../shared/users.ts";
import { changed, keptPerson } from "../live/changed.ts";
import { askAgain, kept, Lacking } from "../live/kept.ts";
import type { KeptTable } from "../live/kept.ts";

/** Name and picture are in the event; the rest of the account is its owner's alone, and asked for. */
const me = kept<Viewer>({
  topics: () => ["me"],
  on: {
    "viewer.profileChanged": (viewer, { person }) => new Lacking(keptPerson(viewer, person)),
    "own.settings": (viewer, { settings }) => changed<Viewer>(viewer, settings),
  },
});

/** Its name and looks; who may sign up is asked for with each page. */
const site = kept<SiteFacts>({ topics: () => ["feed"], on: { "site.changed": askAgain } });

/** How the viewer's own account and the site's facts are kept, which every page shows. */
export const keptViewer: KeptTable = { "users.me": me, "users.site": site };
