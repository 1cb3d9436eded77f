/** What an account may do for the site. */
export interface Role {
  isAdmin: boolean;
  isModerator: boolean;
}

/** Answers reports, takes back what breaks the rules, shuts accounts. */
export const canModerate = ({ isAdmin, isModerator }: Role): boolean => isAdmin || isModerator;

/** Makes others moderators. */
export const canRunSite = ({ isAdmin }: Role): boolean => isAdmin;

/** Nobody acts against an administrator, nor a moderator against another or themself. */
export const canActAgainst = (actor: Role & { id: string }, other: Role & { id: string }): boolean =>
  actor.id !== other.id && !other.isAdmin && (actor.isAdmin || !other.isModerator);

/** Nobody reads what is noted about themself; of staff, administrators alone. */
export const canKeepNotes = (actor: Role & { id: string }, other: Role & { id: string }): boolean =>
  actor.id !== other.id && (actor.isAdmin || !canModerate(other));

/** Staff look at what is for everybody, and at what they took back; other drafts and private blogs are nobody's but their author's. */
export const canFind = (blog: {
  draft: boolean;
  private: boolean;
  authorPrivate: boolean;
  takedownReason: string | null;
}): boolean => blog.takedownReason !== null || !(blog.draft || blog.private || blog.authorPrivate);

/** Which of the comments that wait are moderators', too: those with a first link, where the author does not read all of them first. */
export const canJudgePending = (
  pending: { forLink: boolean },
  blog: { draft: boolean; commentsFrom: string },
): boolean => pending.forLink && !blog.draft && blog.commentsFrom !== "approved";
