import { countBeside } from "../../shared/comment-count.ts";
import type { Comment, CommentList, ViewerComment } from "../../shared/comments.ts";
import type { CommentEvent } from "../../shared/live.ts";
import type { Person } from "../../shared/users.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { patch, patchPerson } from "../live/queries/patch.ts";
import { REFETCH, liveQuery } from "../live/queries/live-query.ts";
import type { EventContext, LiveQueries } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import { applyCommentEvent, mapComment, isWithinPages } from "./apply-comment-event.ts";

const loadReadAgain = codeLoader(() => import("./load-comments.ts"));

type Input = { blogId: string };

const apply = (
  list: CommentList,
  event: CommentEvent,
  { isOptimistic, viewerId }: EventContext<Input>,
): CommentList =>
  applyCommentEvent(list, event, {
    isOptimistic,
    mine:
      isOptimistic ||
      (event.kind === "comment.created" && viewerId !== null && event.comment.author?.id === viewerId),
  });

/** A list is fetched again as far as it is shown. Where the code for that cannot be loaded, its first page is read. */
const commentList = liveQuery<CommentList, Input>({
  topics: (_, { blogId }) => [`blog:${blogId}`, "me", "feed"],
  on: {
    "comment.created": apply,
    "comment.edited": apply,
    "comment.deleted": apply,
    "comment.liked": apply,
    "comment.marked": (list, event, about) => {
      // The pinned comment may not be loaded, and the one pinned before may belong after what is loaded.
      if (event.mark === "pinned" && !list.comments.some(({ id }) => id === event.commentId)) return REFETCH;
      const now = apply(list, event, about);
      const pinned = list.comments.find(({ mark }) => mark === "pinned");
      const current = now.comments.find(({ id }) => id === pinned?.id);
      return current && !isWithinPages(now, current) ? REFETCH : now;
    },
    "comment.pending": (list, { comment }) =>
      list.pending?.some(({ id }) => id === comment.id)
        ? list
        : { ...list, pending: [...(list.pending ?? []), comment] },
    "comment.rejected": (list, { commentId }) =>
      patch(list, { pending: list.pending?.filter(({ id }) => id !== commentId) }),
    "viewer.pendingChanged": (list, { blogId }, { input }) => (blogId === input.blogId ? REFETCH : list),
    // A viewer from whom a comment is hidden gets only the new number.
    "blog.counted": (list, { commentsCount }) => patch(list, { total: countBeside(list, commentsCount) }),
    "viewer.commentLike": (list, { commentId, liked }, { isOptimistic }) =>
      withComments(list, (known) =>
        mapComment(known, commentId, (comment) =>
          comment.liked === liked
            ? comment
            : { ...comment, liked, likesCount: comment.likesCount + (isOptimistic ? (liked ? 1 : -1) : 0) },
        ),
      ),
    "person.changed": (list, { person }) => signedBy(list, person),
    "viewer.profileChanged": (list, { person }) => signedBy(list, person),
    accessLost: ({ cursor }) => ({ comments: [], folds: {}, before: null, total: 0, cursor }),
  },
  refetch: async (client, { blogId }, shown) => {
    const code = await loadReadAgain().catch(() => undefined);
    return code ? code.refetchShown(client, blogId, shown) : client.comments.list.query({ blogId });
  },
});

/** The live query of a blog's comments; imported by the code that shows or stores them. */
export const commentQueries: LiveQueries = { "comments.list": commentList };

registerLiveQueries(commentQueries);

function withComments(
  list: CommentList,
  change: (comments: ViewerComment[]) => ViewerComment[],
): CommentList {
  return patch(list, { comments: change(list.comments) });
}

function signedBy(list: CommentList, person: Person): CommentList {
  const { comments, pending } = list;
  return patch(list, { comments: signed(comments, person), pending: pending && signed(pending, person) });
}

function signed<One extends Comment>(comments: One[], person: Person): One[] {
  if (!comments.some(({ author }) => author?.id === person.id)) return comments;
  return comments.map((comment) =>
    comment.author
      ? (patch<Comment>(comment, { author: patchPerson(comment.author, person) }) as One)
      : comment,
  );
}
