import type { Comment, SeenComment } from "../../shared/comments.ts";
import { presentGuest, presentPerson } from "../users/present.ts";
import type { PendingRow } from "./pending-queries.ts";
import type { CommentRow } from "./queries.ts";

/** Nothing of it is shown but its place: it was deleted, or its author is hidden from the viewer. The two look the same. */
const isEmpty = (row: CommentRow): boolean => row.deletedAt !== null || Boolean(row.isHidden);

/** Null where nobody is to be named. */
const authorOf = (row: CommentRow): Comment["author"] => {
  if (isEmpty(row)) return null;
  if (row.author) return presentPerson(row.author);
  return row.guestName === null ? null : presentGuest(row.guestName);
};

/** A comment, the same for every reader: what the live stream carries. */
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
  ...(row.mark && !isEmpty(row) ? { mark: row.mark } : {}),
});

export const presentSeenComment = (row: CommentRow): SeenComment => ({
  ...presentComment(row),
  liked: Boolean(row.liked) && !isEmpty(row),
  ...(row.muted && !isEmpty(row) ? { muted: true } : {}),
});

/** What a comment that waits has not come to have yet. */
const untouched = {
  editedAt: null,
  deletedAt: null,
  likesCount: 0,
  mark: null,
  guestName: null,
  isHidden: 0,
  muted: 0,
  liked: 0,
};

/** One that waits to be let in, as it will be told. */
export const presentPending = (row: PendingRow): SeenComment => ({
  ...presentSeenComment({ ...row, ...untouched, rootId: row.rootId ?? row.id }),
  pending: true,
});
