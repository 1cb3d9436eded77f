/** What permissions for a comment depend on (docs/specification.md, 6.8). */
export interface CommentRelation {
  isAuthor: boolean;
  isBlogAuthor: boolean;
  deleted: boolean;
}

export const canEditComment = (comment: CommentRelation): boolean => comment.isAuthor && !comment.deleted;

export const canDeleteComment = (comment: CommentRelation): boolean =>
  (comment.isAuthor || comment.isBlogAuthor) && !comment.deleted;

export const canMarkComment = (comment: CommentRelation): boolean => comment.isBlogAuthor && !comment.deleted;

export const canReplyTo = (comment: Pick<CommentRelation, "deleted">): boolean => !comment.deleted;
