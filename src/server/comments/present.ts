import type { Comment, SeenComment } from "../../shared/comments.ts";
import { presentPerson } from "../users/present.ts";
import type { CommentRow } from "./queries.ts";

/** A comment, the same for every reader: what the live stream carries. */
export const presentComment = (row: CommentRow): Comment => ({
  id: row.id,
  blogId: row.blogId,
  parentId: row.parentId,
  rootId: row.rootId,
  author: row.author && row.deletedAt === null ? presentPerson(row.author) : null,
  text: row.deletedAt === null ? row.text : "",
  createdAt: new Date(row.createdAt).toISOString(),
  editedAt: row.editedAt === null ? null : new Date(row.editedAt).toISOString(),
  deleted: row.deletedAt !== null,
  likesCount: row.likesCount,
});

export const presentSeenComment = (row: CommentRow): SeenComment => ({
  ...presentComment(row),
  liked: Boolean(row.liked),
});
