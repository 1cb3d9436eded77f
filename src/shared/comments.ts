import { z } from "zod";
import { limits } from "./limits.ts";
import type { LinkRange } from "./link-ranges.ts";
import { hasVisibleText } from "./plain-text.ts";
import { BlogKey, Id, lines } from "./users.ts";
import type { Person } from "./users.ts";

/** The blog author's mark: the comment comes first, or is collapsed. */
export const commentMarks = ["pinned", "hidden"] as const;
export type Mark = (typeof commentMarks)[number];

/**
 * A comment, the same for every reader. If deleted with replies by others, `author` is null and `text` empty. An imported guest
 * has only a name: no id, no username.
 */
export interface Comment {
  id: string;
  blogId: string;
  parentId: string | null;
  /** The top-level comment of its thread, or itself. */
  rootId: string;
  author: Person | null;
  text: string;
  createdAt: string;
  editedAt: string | null;
  deleted: boolean;
  likesCount: number;
  /** Links in the text; absent if there are none, and in what the page shows before the server's answer. */
  links?: LinkRange[];
  mark?: Mark;
}

/** A comment as one viewer sees it. */
export interface ViewerComment extends Comment {
  liked: boolean;
  /** The viewer muted its author: it is collapsed. */
  muted?: true;
  pending?: true;
}

/** A comment's position in its thread: replies are ordered by time, whichever comment they answer. */
export type CommentPosition = Pick<Comment, "createdAt" | "id">;

/** A thread with only its first replies: the number of all at any depth, and the last one included. */
export interface FoldedThread {
  repliesCount: number;
  after: CommentPosition;
}

/**
 * A page of threads, newest first, each with its replies at any depth as a flat list; the page builds the tree. A long thread
 * (in `folds` by root id) has only its first replies and those requested by id. `before` requests the next page; null on the
 * last. `total` counts all comments and replies of the blog. `pending`, oldest first: all for the blog's author, else the
 * viewer's own.
 */
export interface CommentList {
  comments: ViewerComment[];
  folds: Record<string, FoldedThread>;
  before: string | null;
  total: number;
  pending?: Comment[];
  cursor: string;
}

/** More replies of a thread, which is in `folds` if more follow. */
export type Replies = Omit<CommentList, "before" | "pending">;

export const ListComments = z.strictObject({
  blogId: Id,
  before: Id.optional(),
  /** Also returns this comment and its neighbours. */ including: Id.optional(),
});
export const ListReplies = z.strictObject({
  blogId: Id,
  rootId: Id,
  after: z.strictObject({ createdAt: z.iso.datetime(), id: Id }).optional(),
});

export const CommentText = lines(limits.comment.max, "The comment").refine(
  hasVisibleText,
  "Write something first.",
);
/** `id` is made by the client, so that a retry creates no second comment. */
export const NewComment = z.strictObject({
  id: Id,
  blogId: BlogKey,
  parentId: Id.nullable().default(null),
  text: CommentText,
});
export const CommentEdit = z.strictObject({ id: Id, text: CommentText });
export const CommentsOf = z.strictObject({ blogId: Id });
/** What a person is writing below a blog: a first comment, a reply to one, or an entry of a live blog. */
export const writings = ["comment", "reply", "entry"] as const;
export type Writing = (typeof writings)[number];
export const Replying = CommentsOf.extend({ what: z.enum(writings).default("comment") });
export const CommentId = z.strictObject({ id: Id });
/** The wanted state; null removes the mark. */
export const CommentMark = z.strictObject({ id: Id, mark: z.enum(commentMarks).nullable() });
/** The wanted state, not a toggle: a retry changes nothing. */
export const CommentLike = z.strictObject({ id: Id, liked: z.boolean() });
