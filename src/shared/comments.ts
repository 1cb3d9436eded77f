import { z } from "zod";
import { limits } from "./limits.ts";
import { isSeen } from "./plain-text.ts";
import { Id, lines } from "./users.ts";
import type { Person } from "./users.ts";

/** What the author of the blog may make of a comment: it stands first, or is folded away until somebody wants to see it. */
export const marks = ["pinned", "hidden"] as const;
export type Mark = (typeof marks)[number];

/**
 * A comment, the same for every reader. `author` is null and `text` empty where it was deleted and replies of others remain; a
 * guest of whom an import brought the name alone has no id and no username.
 */
export interface Comment {
  id: string;
  blogId: string;
  parentId: string | null;
  /** The top-level comment of its thread: itself where it has no parent. */
  rootId: string;
  author: Person | null;
  text: string;
  createdAt: string;
  editedAt: string | null;
  deleted: boolean;
  likesCount: number;
  mark?: Mark;
}

/** A comment as one viewer sees it. */
export interface SeenComment extends Comment {
  liked: boolean;
  /** They have muted its author: it is folded away. */
  muted?: true;
  /** As it was written: the author of the blog is still to let it in. */
  pending?: true;
}

/** Where a comment stands in its thread, whose replies are in the order of their times, whatever they answer. */
export type Place = Pick<Comment, "createdAt" | "id">;

/** A thread of which only the first replies are told: how many it has in all, at any depth, and the last of the first. */
export interface Fold {
  repliesCount: number;
  after: Place;
}

/**
 * A page of threads: top-level comments newest first, each with its replies (any depth), flat; the page builds the tree.
 * Of a long thread, which `folds` has by its root's id, the first replies alone, and what was asked for by name. `before` is
 * the id to ask the next page with, null on the last. `total` counts every comment and reply of the blog. `pending` are those that
 * wait, the oldest first: all to the author of the blog, to others their own.
 */
export interface CommentList {
  comments: SeenComment[];
  folds: Record<string, Fold>;
  before: string | null;
  total: number;
  pending?: Comment[];
  cursor: string;
}

/** More replies of a thread; it is in `folds` as long as there are others after them. */
export type Replies = Omit<CommentList, "before" | "pending">;

export const ListComments = z.strictObject({
  blogId: Id,
  before: Id.optional(),
  /** Makes sure this comment is in the answer, with what stands around it. */ including: Id.optional(),
});
export const ListReplies = z.strictObject({
  blogId: Id,
  rootId: Id,
  after: z.strictObject({ createdAt: z.iso.datetime(), id: Id }).optional(),
});

export const CommentText = lines(limits.comment.max, "The comment").refine(isSeen, "Write something first.");
/** `id` is made by the client, so that a retry makes no second comment. */
export const NewComment = z.strictObject({
  id: Id,
  blogId: Id,
  parentId: Id.nullable().default(null),
  text: CommentText,
});
export const CommentEdit = z.strictObject({ id: Id, text: CommentText });
/** The talk below a blog. */
export const CommentsOf = z.strictObject({ blogId: Id });
export const CommentId = z.strictObject({ id: Id });
/** The wanted state; null takes the mark away. */
export const CommentMark = z.strictObject({ id: Id, mark: z.enum(marks).nullable() });
/** The wanted state, not a toggle: a retry changes nothing. */
export const CommentLike = z.strictObject({ id: Id, liked: z.boolean() });
