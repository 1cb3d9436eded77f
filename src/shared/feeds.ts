/** The files that every feed has, RSS first, and what each is. Where a feed is stands before them. */
export const feedTypes = {
  "feed.xml": "application/rss+xml",
  "atom.xml": "application/atom+xml",
  "feed.json": "application/feed+json",
} as const;
export type FeedFile = keyof typeof feedTypes;
export const feedFiles = Object.keys(feedTypes) as FeedFile[];
