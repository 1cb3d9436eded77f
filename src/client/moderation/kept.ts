import { askAgain, kept } from "../live/kept.ts";
import { keepAlso } from "../live/live.ts";

/** Each list of the moderators is asked for again whenever one of them acted, or something was reported. */
const list = kept<object>({ topics: () => ["me"], on: { "viewer.reportsChanged": askAgain }, jitterMs: 300 });
/** That a comment waits is told apart: no search through all comments is to be repeated for it. */
const held: typeof list = { ...list, on: { ...list.on, "viewer.pendingChanged": askAgain } };

keepAlso({
  "moderation.queue": list,
  "moderation.blogs": list,
  "moderation.readBlog": list,
  "moderation.comments": list,
  "moderation.pendingComments": held,
  "moderation.people": list,
  "moderation.notes": list,
  "moderation.signupRequests": list,
  "moderation.signupSettings": list,
  "moderation.log": list,
  "moderation.site": list,
  "moderation.jobs": list,
  "moderation.numbers": list,
  "moderation.disk": list,
  "moderation.setup": list,
});
