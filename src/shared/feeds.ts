/** The files of every feed, RSS first, and their media types. The feed's path precedes them. */
export const feedTypes = {
  "feed.xml": "application/rss+xml",
  "atom.xml": "application/atom+xml",
  "feed.json": "application/feed+json",
} as const;
export type FeedFile = keyof typeof feedTypes;
export const feedFiles = Object.keys(feedTypes) as FeedFile[];
