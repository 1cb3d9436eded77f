import type { Comment, ViewerComment } from "../../shared/comments.ts";
import { findLinks } from "../../shared/links.ts";
import { presentGuest, presentPerson } from "../profiles/present.ts";
import type { PendingRow } from "./pending-queries.ts";
import type { CommentRow } from "./queries.ts";

/** Whether the row is shown empty: deleted comments and those of hidden people look the same. */
const isEmpty = (row: CommentRow): boolean => row.deletedAt !== null || Boolean(row.isHidden);

/** Returns null for empty rows. */
const authorOf = (row: CommentRow): Comment["author"] => {
  if (isEmpty(row)) return null;
  if (row.author) return presentPerson(row.author);
  return row.guestName === null ? null : presentGuest(row.guestName);
};

function linksOf(text: string): Pick<Comment, "links"> {
  const links = findLinks(text);
  return links.length > 0 ? { links } : {};
}

/** Presents a comment for all viewers, for live events. */
export const presentComment = (row: CommentRow): Comment => ({
  id: row.id,
  blogId: row.blogId,
  parentId: row.parentId,
  rootId: row.rootId,
  author: authorOf(row),
  text: isEmpty(row) ? "" : row.text,
  createdAt: new Date(row.createdAt).toISOString(),
  editedAt: row.editedAt === null || isEmpty(row) ? null : new Date(row.editedAt).toISOString(),
  deleted: isEmpty(row),
  likesCount: isEmpty(row) ? 0 : row.likesCount,
  ...(!isEmpty(row) && linksOf(row.text)),
  ...(row.mark && !isEmpty(row) ? { mark: row.mark } : {}),
});

export const presentSeenComment = (row: CommentRow): ViewerComment => ({
  ...presentComment(row),
  liked: Boolean(row.liked) && !isEmpty(row),
  ...(row.muted && !isEmpty(row) ? { muted: true } : {}),
});

const unchangedFields = {
  editedAt: null,
  deletedAt: null,
  likesCount: 0,
  mark: null,
  guestName: null,
  isHidden: 0,
  muted: 0,
  liked: 0,
};

export const presentPending = (row: PendingRow): ViewerComment => ({
  ...presentSeenComment({ ...row, ...unchangedFields, rootId: row.rootId ?? row.id }),
  pending: true,
});
