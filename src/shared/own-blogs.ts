/** Parts of the viewer's own list; `private` are blogs for followers. */
export const ownBlogFilters = ["all", "published", "scheduled", "drafts", "private"] as const;
export const ownBlogSorts = ["latest", "oldest"] as const;
