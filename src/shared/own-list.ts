/** The parts of the list of one's own blogs: published for everybody, waiting for their time, drafts without one, for followers. */
export const ownShown = ["all", "published", "scheduled", "drafts", "private"] as const;
export const ownSorts = ["latest", "oldest"] as const;
