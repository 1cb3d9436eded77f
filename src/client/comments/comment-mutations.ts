import type { Comment, Mark, ViewerComment } from "../../shared/comments.ts";
import type { Person } from "../../shared/users.ts";
import type { Mutation, MutationContext, OptimisticLayer } from "../live/mutations/optimistic-mutations.ts";
import { errorCode } from "../api/errors.ts";
import { askToSignIn, showFailure, showLimited } from "../session/failure.ts";
import { checkSession } from "../session/session.ts";
import { storedToken } from "../session/stored-user.ts";
import { serverTime } from "../ui/clock.ts";
import { copy } from "../ui/copy.ts";
import { toast } from "../ui/toasts.tsx";
import { restoreDraftText } from "./drafts.ts";

/** A comment that is being sent. */
export interface NewComment {
  /** Chosen by this tab, so that sending it twice adds one comment. */
  id: string;
  blogId: string;
  parentId: string | null;
  rootId: string;
  text: string;
  /** When it was written, or just after the newest comment if this clock is behind, so that it is sorted first. */
  at: string;
  /** The writer, whose draft it becomes again on failure. */
  viewerId: string;
  /** The author of the blog must approve it. */
  needsApproval: boolean;
}

interface EditInput {
  comment: ViewerComment;
  text: string;
  viewerId: string;
}

interface MarkInput {
  comment: ViewerComment;
  mark: Mark | null;
}

interface LikeInput {
  id: string;
  blogId: string;
  on: boolean;
}

interface Unsent {
  id: string;
  blogId: string;
}

/** Mutations of one comment are sent in order: it exists before it is edited. */
const keyOf = (id: string): string => `comment-${id}`;

/** Says that the comment will be sent when its writer has signed in again. */
async function showSignedOut({ navigate }: MutationContext): Promise<void> {
  await checkSession();
  const message = "Your comment is saved and will be sent when you sign back in.";
  if (storedToken() === null) askToSignIn(`You’re signed out. ${message}`, navigate);
  else toast({ message: `You’re signed in as someone else now. ${message}` });
}

/** Adds a comment. It stays in the offline queue until it is answered; if it fails, its text becomes a draft again. */
export const createComment = (
  context: MutationContext,
): Mutation<NewComment, ViewerComment & { cursor: string }> => ({
  name: "comments.create",
  key: ({ id }) => keyOf(id),
  optimisticEvents: ({ id, blogId, parentId, rootId, text, at, needsApproval }, me) => {
    const comment = {
      id,
      blogId,
      parentId,
      rootId,
      author: personOf(me),
      text: normalized(text),
      createdAt: at,
      editedAt: null,
      deleted: false,
      likesCount: 0,
    };
    const event = needsApproval
      ? ({ kind: "comment.pending", comment } as const)
      : ({ kind: "comment.created", comment, ...unknownCounts } as const);
    return [{ topic: `blog:${blogId}`, event }];
  },
  send: ({ id, blogId, parentId, text }) =>
    context.client.comments.create.mutate({ id, blogId, parentId, text }),
  keepOffline: true,
  onSignedOut: () => void showSignedOut(context),
  onError: (error, { viewerId, blogId, parentId, text }, retry) => {
    const at = parentId === null ? "new" : `reply-${parentId}`;
    restoreDraftText({ viewerId, blogId, at }, text);
    if (errorCode(error) === "NOT_FOUND") return showParentGone(text);
    showFailure(error, context.navigate, retry);
  },
});

/** Changes the text of a comment; if it fails, the text becomes a draft again. */
export const editComment = (
  context: MutationContext,
): Mutation<EditInput, ViewerComment & { cursor: string }> => ({
  name: "comments.edit",
  key: ({ comment }) => keyOf(comment.id),
  optimisticEvents: ({ comment: { id, blogId }, text }) => [
    {
      topic: `blog:${blogId}`,
      event: {
        kind: "comment.edited",
        commentId: id,
        text: normalized(text),
        editedAt: new Date(serverTime()).toISOString(),
      },
    },
  ],
  send: ({ comment: { id }, text }) => context.client.comments.edit.mutate({ id, text }),
  onError: (error, { comment: { id, blogId }, text, viewerId }, retry) => {
    restoreDraftText({ viewerId, blogId, at: `edit-${id}` }, text);
    showFailure(error, context.navigate, retry);
  },
});

/** Deletes a comment. */
export const removeComment = (
  context: MutationContext,
): Mutation<ViewerComment, { commentIds: string[]; cursor: string }> => ({
  name: "comments.remove",
  key: ({ id }) => keyOf(id),
  optimisticEvents: deletionOf,
  send: ({ id }) => context.client.comments.remove.mutate({ id }),
});

/** Pins or hides a comment, or removes its mark. */
export const markComment = (context: MutationContext): Mutation<MarkInput> => ({
  name: "comments.mark",
  key: ({ comment }) => keyOf(comment.id),
  optimisticEvents: ({ comment: { id, blogId }, mark }) => [
    { topic: `blog:${blogId}`, event: { kind: "comment.marked", commentId: id, mark } },
  ],
  send: ({ comment: { id }, mark }) => context.client.comments.mark.mutate({ id, mark }),
});

/** Approves a pending comment. */
export const approveComment = (context: MutationContext): Mutation<Comment> => ({
  name: "comments.approve",
  key: ({ id }) => keyOf(id),
  optimisticEvents: (comment) => [
    { topic: `blog:${comment.blogId}`, event: { kind: "comment.created", comment, ...unknownCounts } },
  ],
  send: ({ id }) => context.client.comments.approve.mutate({ id }),
});

/** Deletes a pending comment. */
export const rejectComment = (context: MutationContext): Mutation<Comment> => ({
  name: "comments.refuse",
  key: ({ id }) => keyOf(id),
  optimisticEvents: ({ id, blogId }) => [
    { topic: `blog:${blogId}`, event: { kind: "comment.rejected", commentId: id } },
  ],
  send: ({ id }) => context.client.comments.remove.mutate({ id }),
});

/** Likes or unlikes a comment. It stays in the offline queue until it is answered. */
export const likeComment = (context: MutationContext): Mutation<LikeInput> => ({
  name: "comments.like",
  key: ({ id }) => `comment-like-${id}`,
  optimisticEvents: ({ id, blogId, on }) => [
    { topic: "me", event: { kind: "viewer.commentLike", commentId: id, blogId, liked: on } },
  ],
  send: ({ id, on }) => context.client.comments.like.mutate({ id, liked: on }),
  keepOffline: true,
  onLimited: showLimited,
  onSignedOut: () => void showSignedOut(context),
});

/** Deletes a comment whose sending was cancelled, in case it had arrived. */
export const deleteUnsent = (context: MutationContext): Mutation<Unsent> => ({
  name: "comments.deleteUnsent",
  key: ({ id }) => keyOf(id),
  optimisticEvents: deletionOf,
  send: async ({ id }) =>
    context.client.comments.remove.mutate({ id }).catch((error: unknown) => {
      if (errorCode(error) !== "NOT_FOUND") throw error;
      return {};
    }),
  keepOffline: true,
  onSignedOut: () => undefined,
});

/** Shows the text of a reply whose parent was deleted, since there is no field to put it back into. */
function showParentGone(text: string): void {
  toast({
    kind: "error",
    message: `The comment you replied to was deleted, so your reply wasn’t sent: “${text}”`,
    action: { label: "Copy reply", run: () => void copy(text) },
  });
}

/** Optimistic events have no counts: `applyCommentEvent` counts them. */
const unknownCounts = { commentsCount: 0, repliesCount: 0 };

const deletionOf = ({ id, blogId }: Unsent): OptimisticLayer["events"] => [
  {
    topic: `blog:${blogId}`,
    event: { kind: "comment.deleted", commentIds: [id], emptied: [], ...unknownCounts, repliesCounts: {} },
  },
];

const personOf = ({ id, username, name, picture }: Person): Person => ({ id, username, name, picture });

/** The text as the server stores it (shared/users.ts, `lines`), so that it does not change when the event arrives. */
const normalized = (text: string): string => text.normalize("NFC").replace(/\r\n?/g, "\n").trim();
