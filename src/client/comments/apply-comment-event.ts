import { countBeside } from "../../shared/comment-count.ts";
import type {
  Comment,
  CommentList,
  FoldedThread,
  Mark,
  CommentPosition,
  Replies,
  ViewerComment,
} from "../../shared/comments.ts";
import type { CommentEvent } from "../../shared/live.ts";

export interface EventOrigin {
  /** Not from the server yet: its counts are ignored. */
  isOptimistic?: boolean;
  /** The viewer wrote the comment, here or on another device. */
  mine?: boolean;
}

/**
 * Applies an event to a list of comments. Returns the same list if nothing changes.
 *
 * Idempotent: counts are absolute, and a repeated stream continues to the newest event. Optimistic events change counts by the
 * comments added or removed. A reply in a folded thread is only counted, unless the viewer wrote it.
 */
export function applyCommentEvent(
  state: CommentList,
  event: CommentEvent,
  { isOptimistic = false, mine = isOptimistic }: EventOrigin = {},
): CommentList {
  switch (event.kind) {
    case "comment.created": {
      const fits = !has(state, event.comment.id) && belongsInList(state, event.comment, mine);
      const comments = fits ? [...state.comments, { liked: false, ...event.comment }] : state.comments;
      const more = fits ? 1 : 0;
      const folds = withReplyCount(state.folds, event.comment.rootId, (known) =>
        isOptimistic ? known + more : event.repliesCount,
      );
      return patchIfDifferent(state, {
        comments,
        pending: withoutPending(state.pending, ({ id }) => id === event.comment.id),
        folds,
        total: isOptimistic
          ? state.total + more
          : countBeside({ ...state, comments, folds }, event.commentsCount),
      });
    }
    case "comment.edited":
      return patchIfDifferent(state, {
        comments: mapComment(state.comments, event.commentId, (comment) =>
          comment.deleted
            ? comment
            : patchIfDifferent(comment, { text: event.text, links: event.links, editedAt: event.editedAt }),
        ),
      });
    case "comment.liked":
      return patchIfDifferent(state, {
        comments: mapComment(state.comments, event.commentId, (comment) =>
          comment.deleted ? comment : patchIfDifferent(comment, { likesCount: event.likesCount }),
        ),
      });
    case "comment.marked": {
      const { commentId, mark } = event;
      return patchIfDifferent(state, {
        comments: state.comments.map((comment) =>
          comment.id === commentId
            ? withMark(comment, mark)
            : mark === "pinned" && comment.mark === mark
              ? withMark(comment, null)
              : comment,
        ),
      });
    }
    case "comment.deleted": {
      const remaining = withoutBranches(state.comments, event.commentIds);
      const comments = event.emptied.length > 0 ? withEmptied(remaining, event.emptied) : remaining;
      const { folds, hidden } = foldsAfter(state, remaining, isOptimistic ? undefined : event.repliesCounts);
      const before = remaining === state.comments ? state.before : cursorAfter(state, remaining);
      return patchIfDifferent(state, {
        comments,
        pending: detachFrom(state.pending, event.commentIds),
        folds,
        before,
        total: isOptimistic
          ? state.total - (state.comments.length - remaining.length) - hidden
          : countBeside({ comments, folds, before }, event.commentsCount),
      });
    }
  }
}

/** Returns the list with an older page, another thread, or more replies of the thread `rootId`. */
export function addComments(
  state: CommentList,
  page: Replies & Partial<Pick<CommentList, "before">>,
  { before = page.before, rootId }: { before?: string | null; rootId?: string } = {},
): CommentList {
  if (rootId !== undefined && !has(state, rootId)) return state;
  const received = new Map(page.comments.map((comment) => [comment.id, comment]));
  const comments = [...state.comments.filter((comment) => !received.has(comment.id)), ...page.comments];
  const folds = { ...state.folds };
  for (const root of rootId === undefined ? page.comments.filter(isRoot).map(({ id }) => id) : [rootId]) {
    const fold = has(state, root) ? mergeFolds(state.folds[root], page.folds[root]) : page.folds[root];
    if (fold) folds[root] = fold;
    else delete folds[root];
  }
  const list = { ...state, comments, folds, before: before === undefined ? state.before : before };
  return { ...list, total: countBeside(list, page.total) };
}

/** Merges two folds of one thread: the newer count, the further end. Undefined if one read was complete. */
function mergeFolds(
  known: FoldedThread | undefined,
  read: FoldedThread | undefined,
): FoldedThread | undefined {
  if (!known || !read) return undefined;
  return oldestFirst(known.after, read.after) > 0 ? { ...read, after: known.after } : read;
}

/** Returns how many replies of a thread are not loaded. */
export function countUnloadedReplies({ comments, folds }: CommentList, rootId: string): number {
  const fold = folds[rootId];
  if (!fold) return 0;
  const loaded = comments.filter((comment) => comment.rootId === rootId && !isRoot(comment)).length;
  return Math.max(0, fold.repliesCount - loaded);
}

/** The order of threads for every viewer: newest first, then by id. */
export function newestFirst(a: CommentPosition, b: CommentPosition): number {
  return -oldestFirst(a, b);
}
export function oldestFirst(a: CommentPosition, b: CommentPosition): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Whether a top-level comment lies within the loaded pages. A thread fetched for a link to one of its comments may not. */
export function isWithinPages(state: Pick<CommentList, "comments" | "before">, root: Comment): boolean {
  const bound =
    state.before === null ? undefined : state.comments.find((comment) => comment.id === state.before);
  return bound === undefined || isPinned(root) || newestFirst(root, bound) <= 0;
}

/**
 * Whether a new comment belongs in the loaded list. A reply needs its parent and its thread up to there loaded, otherwise it
 * comes with a later page; the viewer's own needs only its parent.
 */
function belongsInList(state: CommentList, comment: Comment, isOwn: boolean): boolean {
  if (comment.parentId === null) return isWithinPages(state, comment);
  const fold = state.folds[comment.rootId];
  return has(state, comment.parentId) && (isOwn || !fold || oldestFirst(comment, fold.after) <= 0);
}

/** Pinned threads are on the first page at any age. */
const isPinned = (comment: Comment): boolean => comment.mark === "pinned";

function withMark(comment: ViewerComment, mark: Mark | null): ViewerComment {
  const next = { ...comment };
  delete next.mark;
  return mark ? { ...next, mark } : next;
}

/** Makes pending replies to deleted comments top-level. */
function detachFrom(pending: CommentList["pending"], removedIds: readonly string[]): CommentList["pending"] {
  const isLoose = ({ parentId }: Comment) => parentId !== null && removedIds.includes(parentId);
  return pending?.some(isLoose)
    ? pending.map((one) => (isLoose(one) ? { ...one, parentId: null, rootId: one.id } : one))
    : pending;
}

function withoutPending(
  pending: CommentList["pending"],
  isGone: (comment: Comment) => boolean,
): CommentList["pending"] {
  const remaining = pending?.filter((comment) => !isGone(comment));
  return remaining?.length === pending?.length ? pending : remaining;
}

const isRoot = (comment: Comment): boolean => comment.parentId === null;

function has(state: CommentList, id: string): boolean {
  return state.comments.some((comment) => comment.id === id);
}

export function mapComment(
  comments: ViewerComment[],
  id: string,
  change: (comment: ViewerComment) => ViewerComment,
): ViewerComment[] {
  const index = comments.findIndex((comment) => comment.id === id);
  const found = comments[index];
  if (!found) return comments;
  const next = change(found);
  return next === found ? comments : comments.with(index, next);
}

/** Removes comments with all below them, including unsent replies. */
function withoutBranches(comments: ViewerComment[], ids: readonly string[]): ViewerComment[] {
  const removedIds = new Set(ids);
  const isGone = (comment: ViewerComment): boolean =>
    removedIds.has(comment.id) ||
    removedIds.has(comment.rootId) ||
    (comment.parentId !== null && removedIds.has(comment.parentId));
  for (let size = -1; size !== removedIds.size;) {
    size = removedIds.size;
    for (const comment of comments) if (isGone(comment)) removedIds.add(comment.id);
  }
  const remaining = comments.filter((comment) => !removedIds.has(comment.id));
  return remaining.length === comments.length ? comments : remaining;
}

/** Returns the remaining folds, and how many unloaded replies the removed threads had. */
function foldsAfter(
  state: CommentList,
  remaining: ViewerComment[],
  counts: Record<string, number> | undefined,
): { folds: Record<string, FoldedThread>; hidden: number } {
  let { folds } = state;
  let hidden = 0;
  for (const root of Object.keys(state.folds)) {
    const loaded = (comments: ViewerComment[]) => comments.filter(({ rootId }) => rootId === root).length;
    if (remaining.some(({ id }) => id === root)) {
      const removedCount = remaining === state.comments ? 0 : loaded(state.comments) - loaded(remaining);
      folds = withReplyCount(folds, root, (known) =>
        counts ? (counts[root] ?? known) : known - removedCount,
      );
    } else {
      hidden += countUnloadedReplies(state, root);
      folds = Object.fromEntries(Object.entries(folds).filter(([id]) => id !== root));
    }
  }
  return { folds, hidden };
}

/** Updates a fold's reply count. A thread without a fold is complete and needs none. */
function withReplyCount(
  folds: Record<string, FoldedThread>,
  root: string,
  count: (known: number) => number,
): Record<string, FoldedThread> {
  const fold = folds[root];
  const repliesCount = fold && count(fold.repliesCount);
  return fold && repliesCount !== undefined && repliesCount !== fold.repliesCount
    ? { ...folds, [root]: { ...fold, repliesCount } }
    : folds;
}

function withEmptied(comments: ViewerComment[], ids: readonly string[]): ViewerComment[] {
  const empty = new Set(ids);
  return comments.map((comment) =>
    empty.has(comment.id) && !comment.deleted
      ? { ...comment, author: null, text: "", deleted: true }
      : comment,
  );
}

/** Returns the cursor for older pages: the last loaded thread, or the one above if it was deleted. */
function cursorAfter(state: CommentList, remaining: readonly ViewerComment[]): string | null {
  const bound = state.comments.find((comment) => comment.id === state.before);
  if (!bound || remaining.includes(bound)) return state.before;
  const above = remaining
    .filter((comment) => comment.parentId === null && oldestFirst(comment, bound) > 0)
    .toSorted(oldestFirst);
  return above[0]?.id ?? state.before;
}

/** Returns the same object if nothing differs, so that nothing renders. */
function patchIfDifferent<T extends object>(state: T, next: Partial<T>): T {
  const isSame = (Object.keys(next) as (keyof T)[]).every((key) => next[key] === state[key]);
  return isSame ? state : { ...state, ...next };
}
