import type { OwnSide } from "../live/live.ts";
import { OwnChanges } from "../live/own.ts";
import { outboxFor } from "../live/waiting.ts";
import type { KeptActs } from "../live/waiting.ts";

/** The acts that wait in the outbox until they are answered, by their names; their code comes when one waits there. */
const keptActs: KeptActs = {
  "comments.create": async (hands) => (await import("../comments/acts.ts")).createComment(hands),
  "comments.like": async (hands) => (await import("../comments/acts.ts")).likeComment(hands),
  "comments.unsay": async (hands) => (await import("../comments/acts.ts")).unsayComment(hands),
  "social.likeBlog": async (hands) => (await import("../blogs/acts.ts")).likeBlog(hands),
  "social.saveBlog": async (hands) => (await import("../blogs/acts.ts")).saveBlog(hands),
};

/** What a member does here. Guests do nothing, and load it when they sign in. */
export const ownSide: OwnSide = (store, hands) => new OwnChanges(store, outboxFor(keptActs, hands));
