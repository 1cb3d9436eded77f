export interface Role {
  isAdmin: boolean;
  isModerator: boolean;
}

export const canModerate = ({ isAdmin, isModerator }: Role): boolean => isAdmin || isModerator;

export const canRunSite = ({ isAdmin }: Role): boolean => isAdmin;

/** No one can act against an administrator or themself, nor moderators against each other. */
export const canActAgainst = (actor: Role & { id: string }, other: Role & { id: string }): boolean =>
  actor.id !== other.id && !other.isAdmin && (actor.isAdmin || !other.isModerator);

/** No one reads notes about themself; only administrators those about staff. */
export const canKeepNotes = (actor: Role & { id: string }, other: Role & { id: string }): boolean =>
  actor.id !== other.id && (actor.isAdmin || !canModerate(other));

/** Public and taken-down blogs; others' drafts and private blogs stay hidden from staff. */
export const canFind = (blog: {
  draft: boolean;
  private: boolean;
  authorPrivate: boolean;
  takedownReason: string | null;
}): boolean => blog.takedownReason !== null || !(blog.draft || blog.private || blog.authorPrivate);

/** Moderators decide on held first links unless the author approves all comments. */
export const canJudgePending = (
  pending: { forLink: boolean },
  blog: { draft: boolean; commentsFrom: string },
): boolean => pending.forLink && !blog.draft && blog.commentsFrom !== "approved";
