import type { Comment, SeenComment } from "../../shared/comments.ts";
import { presentPerson } from "../users/present.ts";
import type { HeldRow } from "./held-queries.ts";
import type { CommentRow } from "./queries.ts";

/** Nothing of it is shown but its place: it was deleted, or a wall stands before its author. The two look the same. */
const isEmpty = (row: CommentRow): boolean => row.deletedAt !== null || Boolean(row.walled);

/** A comment, the same for every reader: what the live stream carries. */
export const presentComment = (row: CommentRow): Comment => ({
  id: row.id,
  blogId: row.blogId,
  parentId: row.parentId,
  rootId: row.rootId,
  author: row.author && !isEmpty(row) ? presentPerson(row.author) : null,
  text: isEmpty(row) ? "" : row.text,
  createdAt: new Date(row.createdAt).toISOString(),
  editedAt: row.editedAt === null || isEmpty(row) ? null : new Date(row.editedAt).toISOString(),
  deleted: isEmpty(row),
  likesCount: isEmpty(row) ? 0 : row.likesCount,
  ...(row.mark && !isEmpty(row) ? { mark: row.mark } : {}),
});

/** One that waits to be let in, as it will be told. */
export const presentHeldComment = (row: HeldRow): Comment => ({
  id: row.id,
  blogId: row.blogId,
  parentId: row.parentId,
  rootId: row.rootId ?? row.id,
  author: presentPerson(row.author),
  text: row.text,
  createdAt: new Date(row.createdAt).toISOString(),
  editedAt: null,
  deleted: false,
  likesCount: 0,
});

export const presentSeenComment = (row: CommentRow): SeenComment => ({
  ...presentComment(row),
  liked: Boolean(row.liked) && !isEmpty(row),
  ...(row.muted && !isEmpty(row) ? { muted: true } : {}),
});
