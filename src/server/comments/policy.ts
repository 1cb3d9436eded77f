/** What permissions for a comment depend on (docs/specification.md, 6.8). */
export interface CommentStanding {
  isAuthor: boolean;
  isBlogAuthor: boolean;
  deleted: boolean;
}

export const canEditComment = (comment: CommentStanding): boolean => comment.isAuthor && !comment.deleted;

export const canDeleteComment = (comment: CommentStanding): boolean =>
  (comment.isAuthor || comment.isBlogAuthor) && !comment.deleted;

export const canMarkComment = (comment: CommentStanding): boolean => comment.isBlogAuthor && !comment.deleted;

export const canReplyTo = (comment: Pick<CommentStanding, "deleted">): boolean => !comment.deleted;
