import { askAgain, kept } from "../live/kept.ts";
import { keepAlso } from "../live/live.ts";

/** The site's texts are asked for again whenever something of the site changes. */
keepAlso({ "users.siteText": kept<object>({ topics: () => ["feed"], on: { "site.changed": askAgain } }) });
