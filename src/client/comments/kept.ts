import type { Comment, CommentList, SeenComment } from "../../shared/comments.ts";
import type { CommentEvent } from "../../shared/live.ts";
import type { Person } from "../../shared/users.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { changed, keptPerson } from "../live/changed.ts";
import { ask, kept } from "../live/kept.ts";
import type { About, KeptTable } from "../live/kept.ts";
import { keepAlso } from "../live/live.ts";
import { applyCommentEvent, eachComment, isWithinPages } from "./apply-comment-event.ts";

const loadReadAgain = codeLoader(() => import("./load.ts"));

type Input = { blogId: string };

const told = (list: CommentList, event: CommentEvent, { own, me }: About<Input>): CommentList =>
  applyCommentEvent(list, event, {
    own,
    mine: own || (event.kind === "comment.created" && me !== null && event.comment.author?.id === me),
  });

/** A list is asked for again as far as it is shown. Where the code for that can't be had, its first page is read. */
const row = kept<CommentList, Input>({
  topics: (_, { blogId }) => [`blog:${blogId}`, "me", "feed"],
  on: {
    "comment.created": told,
    "comment.edited": told,
    "comment.deleted": told,
    "comment.liked": told,
    "comment.marked": (list, event, about) => {
      // What is to stand first may not be loaded; what did so till now may lie beyond what is.
      if (event.mark === "pinned" && !list.comments.some(({ id }) => id === event.commentId)) return ask;
      const now = told(list, event, about);
      const was = list.comments.find(({ mark }) => mark === "pinned");
      const is = now.comments.find(({ id }) => id === was?.id);
      return is && !isWithinPages(now, is) ? ask : now;
    },
    "comment.held": (list, { comment }) =>
      list.pending?.some(({ id }) => id === comment.id)
        ? list
        : { ...list, pending: [...(list.pending ?? []), comment] },
    "comment.refused": (list, { commentId }) =>
      changed(list, { pending: list.pending?.filter(({ id }) => id !== commentId) }),
    "viewer.pendingChanged": (list, { blogId }, { input }) => (blogId === input.blogId ? ask : list),
    // Of what is hidden from somebody they are told the number.
    "blog.counted": (list, { commentsCount }) => changed(list, { total: commentsCount }),
    "viewer.commentLike": (list, { commentId, liked }, { own }) =>
      withComments(list, (known) =>
        eachComment(known, commentId, (comment) =>
          comment.liked === liked
            ? comment
            : { ...comment, liked, likesCount: comment.likesCount + (own ? (liked ? 1 : -1) : 0) },
        ),
      ),
    "person.changed": (list, { person }) => signedBy(list, person),
    "viewer.profileChanged": (list, { person }) => signedBy(list, person),
    accessLost: ({ cursor }) => ({ comments: [], folds: {}, before: null, total: 0, cursor }),
  },
  again: async (client, { blogId }, shown) => {
    const code = await loadReadAgain().catch(() => undefined);
    return code ? code.readAgain(client, blogId, shown) : client.comments.list.query({ blogId });
  },
});

/** How a blog's comments are kept; whoever shows or stores them imports this. */
export const keptComments: KeptTable = { "comments.list": row };

keepAlso(keptComments);

function withComments(list: CommentList, change: (comments: SeenComment[]) => SeenComment[]): CommentList {
  return changed(list, { comments: change(list.comments) });
}

function signedBy(list: CommentList, person: Person): CommentList {
  const { comments, pending } = list;
  return changed(list, { comments: signed(comments, person), pending: pending && signed(pending, person) });
}

function signed<One extends Comment>(comments: One[], person: Person): One[] {
  if (!comments.some(({ author }) => author?.id === person.id)) return comments;
  return comments.map((comment) =>
    comment.author
      ? (changed<Comment>(comment, { author: keptPerson(comment.author, person) }) as One)
      : comment,
  );
}
