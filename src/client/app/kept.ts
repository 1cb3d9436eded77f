import { keptPage } from "../blogs/kept-page.ts";
import type { KeptTable } from "../live/kept.ts";
import type { KeptActs } from "../live/waiting.ts";
import { keptViewer } from "../session/kept-viewer.ts";

/** How the answers are kept that any page may show (docs/decisions/0018); the rows of the others come with the code that shows them (`keepAlso`). */
export const liveTable: KeptTable = {
  ...keptPage,
  ...keptViewer,
};

/** The acts that wait in the outbox until they are answered, by their names; their code comes when one waits there. */
export const keptActs: KeptActs = {
  "comments.create": async (hands) => (await import("../comments/acts.ts")).commentActs(hands).create,
  "comments.like": async (hands) => (await import("../comments/acts.ts")).commentActs(hands).like,
  "social.likeBlog": async (hands) => (await import("../blogs/acts.ts")).likeBlog(hands),
  "social.saveBlog": async (hands) => (await import("../blogs/acts.ts")).saveBlog(hands),
};
