import type { Comment, CommentList, Fold, Mark, Place, Replies, SeenComment } from "../../shared/comments.ts";
import type { CommentEvent } from "../../shared/live.ts";

export interface EventOrigin {
  /** Not sent by the server yet: its counts say nothing. */
  isOptimistic?: boolean;
  /** The viewer wrote the comment, here or on another device. */
  mine?: boolean;
}

/**
 * Applies an event to a list of comments. Returns the same list where nothing changes.
 *
 * Applying an event twice, or one that the list already contains, changes nothing in the end: counts are absolute, and a
 * stream that repeats itself always continues to its newest event. Optimistic events have no counts, which then move by as
 * many comments as came or went. In a folded thread a new reply only counts, unless the viewer wrote it.
 */
export function applyCommentEvent(
  state: CommentList,
  event: CommentEvent,
  { isOptimistic = false, mine = isOptimistic }: EventOrigin = {},
): CommentList {
  switch (event.kind) {
    case "comment.created": {
      const fits = !has(state, event.comment.id) && isInReach(state, event.comment, mine);
      const comments = fits ? [...state.comments, { liked: false, ...event.comment }] : state.comments;
      const more = fits ? 1 : 0;
      return changed(state, {
        comments,
        pending: withoutPending(state.pending, ({ id }) => id === event.comment.id),
        folds: counted(state.folds, event.comment.rootId, (known) =>
          isOptimistic ? known + more : event.repliesCount,
        ),
        total: isOptimistic ? state.total + more : event.commentsCount,
      });
    }
    case "comment.edited":
      return changed(state, {
        comments: eachComment(state.comments, event.commentId, (comment) =>
          comment.deleted ? comment : changed(comment, { text: event.text, editedAt: event.editedAt }),
        ),
      });
    case "comment.liked":
      return changed(state, {
        comments: eachComment(state.comments, event.commentId, (comment) =>
          comment.deleted ? comment : changed(comment, { likesCount: event.likesCount }),
        ),
      });
    case "comment.marked": {
      const { commentId, mark } = event;
      return changed(state, {
        comments: state.comments.map((comment) =>
          comment.id === commentId
            ? marked(comment, mark)
            : mark === "pinned" && comment.mark === mark
              ? marked(comment, null)
              : comment,
        ),
      });
    }
    case "comment.deleted": {
      const left = without(state.comments, event.commentIds);
      const comments = event.emptied.length > 0 ? emptied(left, event.emptied) : left;
      const { folds, hidden } = foldsAfter(state, left, isOptimistic ? undefined : event.repliesCounts);
      return changed(state, {
        comments,
        pending: detachFrom(state.pending, event.commentIds),
        folds,
        before: left === state.comments ? state.before : boundAfter(state, left),
        total: isOptimistic
          ? state.total - (state.comments.length - left.length) - hidden
          : event.commentsCount,
      });
    }
  }
}

/** The list with an older page, another thread, or more replies of the thread `rootId` added. */
export function addComments(
  state: CommentList,
  page: Replies & Partial<Pick<CommentList, "before">>,
  { before = page.before, rootId }: { before?: string | null; rootId?: string } = {},
): CommentList {
  if (rootId !== undefined && !has(state, rootId)) return state;
  const arrived = new Map(page.comments.map((comment) => [comment.id, comment]));
  const comments = [...state.comments.filter((comment) => !arrived.has(comment.id)), ...page.comments];
  const folds = { ...state.folds };
  for (const root of rootId === undefined ? page.comments.filter(isRoot).map(({ id }) => id) : [rootId]) {
    const fold = has(state, root) ? further(state.folds[root], page.folds[root]) : page.folds[root];
    if (fold) folds[root] = fold;
    else delete folds[root];
  }
  return {
    ...state,
    comments,
    folds,
    before: before === undefined ? state.before : before,
    total: page.total,
  };
}

/** Of a thread that was read twice: what is folded where all of both is shown. Without a fold all of it is. */
function further(known: Fold | undefined, read: Fold | undefined): Fold | undefined {
  if (!known || !read) return undefined;
  return oldestFirst(known.after, read.after) > 0 ? { ...read, after: known.after } : read;
}

/** How many replies of a thread are not loaded. */
export function hiddenReplies({ comments, folds }: CommentList, rootId: string): number {
  const fold = folds[rootId];
  if (!fold) return 0;
  const loaded = comments.filter((comment) => comment.rootId === rootId && !isRoot(comment)).length;
  return Math.max(0, fold.repliesCount - loaded);
}

/** Newest first, the id deciding between equal times: the order of threads, the same for everybody. */
export function newestFirst(a: Place, b: Place): number {
  return -oldestFirst(a, b);
}
export function oldestFirst(a: Place, b: Place): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/**
 * Whether a top-level comment lies within the pages that are loaded. A thread that was fetched by itself, for a link to one
 * of its comments, may lie beyond them.
 */
export function isWithinPages(state: Pick<CommentList, "comments" | "before">, root: Comment): boolean {
  const bound =
    state.before === null ? undefined : state.comments.find((comment) => comment.id === state.before);
  return bound === undefined || isPinned(root) || newestFirst(root, bound) <= 0;
}

/**
 * A reply is in reach where what it answers is loaded, and its thread up to there: otherwise it comes with its thread's
 * page. What the reader wrote is seen in any case.
 */
function isInReach(state: CommentList, comment: Comment, isOwn: boolean): boolean {
  if (comment.parentId === null) return isWithinPages(state, comment);
  const fold = state.folds[comment.rootId];
  return has(state, comment.parentId) && (isOwn || !fold || oldestFirst(comment, fold.after) <= 0);
}

/** What stands first stands there however old it is. */
const isPinned = (comment: Comment): boolean => comment.mark === "pinned";

function marked(comment: SeenComment, mark: Mark | null): SeenComment {
  const next = { ...comment };
  delete next.mark;
  return mark ? { ...next, mark } : next;
}

/** What waits stands by itself where what it answers is gone. */
function detachFrom(pending: CommentList["pending"], gone: readonly string[]): CommentList["pending"] {
  const isLoose = ({ parentId }: Comment) => parentId !== null && gone.includes(parentId);
  return pending?.some(isLoose)
    ? pending.map((one) => (isLoose(one) ? { ...one, parentId: null, rootId: one.id } : one))
    : pending;
}

function withoutPending(
  pending: CommentList["pending"],
  isGone: (comment: Comment) => boolean,
): CommentList["pending"] {
  const left = pending?.filter((comment) => !isGone(comment));
  return left?.length === pending?.length ? pending : left;
}

const isRoot = (comment: Comment): boolean => comment.parentId === null;

function has(state: CommentList, id: string): boolean {
  return state.comments.some((comment) => comment.id === id);
}

export function eachComment(
  comments: SeenComment[],
  id: string,
  change: (comment: SeenComment) => SeenComment,
): SeenComment[] {
  const index = comments.findIndex((comment) => comment.id === id);
  const found = comments[index];
  if (!found) return comments;
  const next = change(found);
  return next === found ? comments : comments.with(index, next);
}

/** Without these and everything below them: a reply of ours that is still on its way goes with its parent. */
function without(comments: SeenComment[], ids: readonly string[]): SeenComment[] {
  const gone = new Set(ids);
  const isGone = (comment: SeenComment): boolean =>
    gone.has(comment.id) ||
    gone.has(comment.rootId) ||
    (comment.parentId !== null && gone.has(comment.parentId));
  for (let size = -1; size !== gone.size;) {
    size = gone.size;
    for (const comment of comments) if (isGone(comment)) gone.add(comment.id);
  }
  const left = comments.filter((comment) => !gone.has(comment.id));
  return left.length === comments.length ? comments : left;
}

/** The folds of the threads that are left, and how many replies went unseen with those that are not. */
function foldsAfter(
  state: CommentList,
  left: SeenComment[],
  counts: Record<string, number> | undefined,
): { folds: Record<string, Fold>; hidden: number } {
  let { folds } = state;
  let hidden = 0;
  for (const root of Object.keys(state.folds)) {
    const loaded = (comments: SeenComment[]) => comments.filter(({ rootId }) => rootId === root).length;
    if (left.some(({ id }) => id === root)) {
      const lost = left === state.comments ? 0 : loaded(state.comments) - loaded(left);
      folds = counted(folds, root, (known) => (counts ? (counts[root] ?? known) : known - lost));
    } else {
      hidden += hiddenReplies(state, root);
      folds = Object.fromEntries(Object.entries(folds).filter(([id]) => id !== root));
    }
  }
  return { folds, hidden };
}

/** A thread that is not folded needs no count: all of it is there. */
function counted(
  folds: Record<string, Fold>,
  root: string,
  count: (known: number) => number,
): Record<string, Fold> {
  const fold = folds[root];
  const repliesCount = fold && count(fold.repliesCount);
  return fold && repliesCount !== undefined && repliesCount !== fold.repliesCount
    ? { ...folds, [root]: { ...fold, repliesCount } }
    : folds;
}

function emptied(comments: SeenComment[], ids: readonly string[]): SeenComment[] {
  const empty = new Set(ids);
  return comments.map((comment) =>
    empty.has(comment.id) && !comment.deleted
      ? { ...comment, author: null, text: "", deleted: true }
      : comment,
  );
}

/** Older pages are asked for from the last thread that is loaded; where that one goes, from the one above it. */
function boundAfter(state: CommentList, left: readonly SeenComment[]): string | null {
  const bound = state.comments.find((comment) => comment.id === state.before);
  if (!bound || left.includes(bound)) return state.before;
  const above = left
    .filter((comment) => comment.parentId === null && oldestFirst(comment, bound) > 0)
    .toSorted(oldestFirst);
  return above[0]?.id ?? state.before;
}

/** The very same object where nothing differs, so that nothing is drawn again. */
function changed<T extends object>(state: T, next: Partial<T>): T {
  const same = (Object.keys(next) as (keyof T)[]).every((key) => next[key] === state[key]);
  return same ? state : { ...state, ...next };
}
