/** What decides what may be done to a comment (docs/specification.md, 6.8). */
export interface CommentStanding {
  isAuthor: boolean;
  isBlogAuthor: boolean;
  deleted: boolean;
}

export const canEditComment = (comment: CommentStanding): boolean => comment.isAuthor && !comment.deleted;

/** Its author, and the author of the blog it stands under. */
export const canDeleteComment = (comment: CommentStanding): boolean =>
  (comment.isAuthor || comment.isBlogAuthor) && !comment.deleted;

/** The author of the blog it stands under. */
export const canMarkComment = (comment: CommentStanding): boolean => comment.isBlogAuthor && !comment.deleted;

export const canReplyTo = (comment: Pick<CommentStanding, "deleted">): boolean => !comment.deleted;
