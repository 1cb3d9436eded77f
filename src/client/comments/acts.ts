import type { Comment, Mark, SeenComment } from "../../shared/comments.ts";
import type { Person } from "../../shared/users.ts";
import type { Act, Hands } from "../live/own.ts";
import { errorCode } from "../api/errors.ts";
import { askToSignIn, tellFailure } from "../session/failure.ts";
import { askAgain } from "../session/session.ts";
import { storedToken } from "../session/stored-user.ts";
import { copy } from "../ui/copy.ts";
import { toast } from "../ui/toasts.tsx";
import { returnDraft } from "./drafts.ts";

/** A comment on its way. */
export interface NewComment {
  /** Made once: however often it is sent, it is one comment. */
  id: string;
  blogId: string;
  parentId: string | null;
  rootId: string;
  text: string;
  /** When it was written, or just after the newest comment where this clock is behind: what one has just written stands first. */
  at: string;
  /** Who wrote it, to whom the text is given back. */
  viewerId: string;
  /** It will wait for the author of the blog. */
  needsApproval: boolean;
}

interface Edit {
  comment: SeenComment;
  text: string;
}

interface Marking {
  comment: SeenComment;
  mark: Mark | null;
}

interface Like {
  id: string;
  blogId: string;
  on: boolean;
}

interface Unsaid {
  id: string;
  blogId: string;
}

/** What a person does about one comment is done in its order: it is there before it is edited. */
const keyOf = (id: string): string => `comment-${id}`;

/** Shows why an act was refused. */
const refusedBy =
  ({ navigate }: Hands) =>
  (error: unknown, _: unknown, again: () => void): void =>
    tellFailure(error, navigate, again);

/** Says that what was written waits until its writer has signed in again. */
async function tellHeld({ navigate }: Hands): Promise<void> {
  await askAgain();
  const message = "Your comment is saved and will be sent when you sign back in.";
  if (storedToken() === null) askToSignIn(`You’re signed out. ${message}`, navigate);
  else toast({ message: `You’re signed in as someone else now. ${message}` });
}

/** Adds a comment. It waits in the outbox until it is answered; where it is refused, its text is given back. */
export const createComment = (hands: Hands): Act<NewComment, SeenComment & { cursor: string }> => ({
  name: "comments.create",
  key: ({ id }) => keyOf(id),
  foresee: ({ id, blogId, parentId, rootId, text, at, needsApproval }, me) => {
    const comment = {
      id,
      blogId,
      parentId,
      rootId,
      author: personOf(me),
      text: tidied(text),
      createdAt: at,
      editedAt: null,
      deleted: false,
      likesCount: 0,
    };
    const event = needsApproval
      ? ({ kind: "comment.held", comment } as const)
      : ({ kind: "comment.created", comment, ...uncounted } as const);
    return [{ topic: `blog:${blogId}`, event }];
  },
  send: ({ id, blogId, parentId, text }) =>
    hands.client.comments.create.mutate({ id, blogId, parentId, text }),
  kept: true,
  held: () => void tellHeld(hands),
  refused: (error, { viewerId, blogId, parentId, text }, again) => {
    const at = parentId === null ? "new" : `reply-${parentId}`;
    returnDraft({ viewerId, blogId, at }, text);
    if (errorCode(error) === "NOT_FOUND") return tellGone(text);
    tellFailure(error, hands.navigate, again);
  },
});

/** Changes the text of a comment. */
export const editComment = (hands: Hands): Act<Edit, SeenComment & { cursor: string }> => ({
  name: "comments.edit",
  key: ({ comment }) => keyOf(comment.id),
  foresee: ({ comment: { id, blogId }, text }) => [
    {
      topic: `blog:${blogId}`,
      event: {
        kind: "comment.edited",
        commentId: id,
        text: tidied(text),
        editedAt: new Date().toISOString(),
      },
    },
  ],
  send: ({ comment: { id }, text }) => hands.client.comments.edit.mutate({ id, text }),
  kept: false,
  refused: refusedBy(hands),
});

/** Deletes a comment. */
export const removeComment = (hands: Hands): Act<SeenComment, { commentIds: string[]; cursor: string }> => ({
  name: "comments.remove",
  key: ({ id }) => keyOf(id),
  foresee: ({ id, blogId }) => [
    {
      topic: `blog:${blogId}`,
      event: {
        kind: "comment.deleted",
        commentIds: [id],
        emptied: [],
        ...uncounted,
        repliesCounts: {},
      },
    },
  ],
  send: ({ id }) => hands.client.comments.remove.mutate({ id }),
  kept: false,
  refused: refusedBy(hands),
});

/** Pins or hides a comment, or takes its mark away. */
export const markComment = (hands: Hands): Act<Marking> => ({
  name: "comments.mark",
  key: ({ comment }) => keyOf(comment.id),
  foresee: ({ comment: { id, blogId }, mark }) => [
    { topic: `blog:${blogId}`, event: { kind: "comment.marked", commentId: id, mark } },
  ],
  send: ({ comment: { id }, mark }) => hands.client.comments.mark.mutate({ id, mark }),
  kept: false,
  refused: refusedBy(hands),
});

/** Shows a comment to everybody that waited for the author of the blog. */
export const approveComment = (hands: Hands): Act<Comment> => ({
  name: "comments.approve",
  key: ({ id }) => keyOf(id),
  foresee: (comment) => [
    { topic: `blog:${comment.blogId}`, event: { kind: "comment.created", comment, ...uncounted } },
  ],
  send: ({ id }) => hands.client.comments.approve.mutate({ id }),
  kept: false,
  refused: refusedBy(hands),
});

/** Deletes a comment that waits for the author of the blog. */
export const rejectComment = (hands: Hands): Act<Comment> => ({
  name: "comments.refuse",
  key: ({ id }) => keyOf(id),
  foresee: ({ id, blogId }) => [
    { topic: `blog:${blogId}`, event: { kind: "comment.refused", commentId: id } },
  ],
  send: ({ id }) => hands.client.comments.remove.mutate({ id }),
  kept: false,
  refused: refusedBy(hands),
});

/** Likes a comment, or no longer does. It waits in the outbox until it is answered. */
export const likeComment = (hands: Hands): Act<Like> => ({
  name: "comments.like",
  key: ({ id }) => `comment-like-${id}`,
  foresee: ({ id, blogId, on }) => [
    { topic: "me", event: { kind: "viewer.commentLike", commentId: id, blogId, liked: on } },
  ],
  send: ({ id, on }) => hands.client.comments.like.mutate({ id, liked: on }),
  kept: true,
  held: () => void tellHeld(hands),
  refused: refusedBy(hands),
});

/** Deletes a comment that was taken back while it waited, in case it had arrived. */
export const unsayComment = (hands: Hands): Act<Unsaid> => ({
  name: "comments.unsay",
  key: ({ id }) => keyOf(id),
  foresee: ({ id, blogId }) => [
    {
      topic: `blog:${blogId}`,
      event: { kind: "comment.deleted", commentIds: [id], emptied: [], ...uncounted, repliesCounts: {} },
    },
  ],
  send: async ({ id }) =>
    hands.client.comments.remove.mutate({ id }).catch((error: unknown) => {
      if (errorCode(error) !== "NOT_FOUND") throw error;
      return {};
    }),
  kept: true,
  held: () => undefined,
  refused: refusedBy(hands),
});

/** Where it was written is gone: there is no box to give the text back to. */
export function tellGone(text: string): void {
  toast({
    kind: "error",
    message: `The comment you replied to was deleted, so your reply wasn’t sent: “${text}”`,
    action: { label: "Copy reply", run: () => void copy(text) },
  });
}

/** What is foreseen is counted where it is applied. */
const uncounted = { commentsCount: 0, repliesCount: 0 };

const personOf = ({ id, username, name, picture }: Person): Person => ({ id, username, name, picture });

/** As the server keeps it (shared/users.ts, `lines`), so that nothing twitches when its word comes. */
const tidied = (text: string): string => text.normalize("NFC").replace(/\r\n?/g, "\n").trim();
