import type { BlogPage } from "../../shared/blogs.ts";
import type { Comment, CommentList, SeenComment } from "../../shared/comments.ts";
import type { BlogEvent } from "../../shared/events.ts";

/** What happened to a comment, as the server tells it. */
type ServerCommentEvent = Extract<BlogEvent, { kind: `comment.${string}` }>;
/** The same without its count: made by this page for a change of its own, which the server has not confirmed yet. */
type Uncounted<E> = E extends { commentsCount: number }
  ? Omit<E, "commentsCount"> & { commentsCount?: undefined }
  : never;
export type OwnCommentEvent =
  | Uncounted<ServerCommentEvent>
  | Extract<ServerCommentEvent, { kind: "comment.edited" }>;
export type CommentEvent = ServerCommentEvent | OwnCommentEvent;

export function isCommentEvent(event: BlogEvent): event is ServerCommentEvent {
  return event.kind.startsWith("comment.");
}

/**
 * What a list of comments is after an event; the same list where nothing changes.
 *
 * Applying an event twice, or one that the list already contains, changes nothing in the end: counts are absolute, an
 * older edit never replaces a newer one, and a stream that repeats itself always runs on to its newest event. An event of
 * our own has no count: the total then moves by as many comments as came or went.
 */
export function applyCommentEvent(state: CommentList, event: CommentEvent): CommentList {
  switch (event.kind) {
    case "comment.created": {
      const fits = !has(state, event.comment.id) && isInReach(state, event.comment);
      const comments = fits ? [...state.comments, { liked: false, ...event.comment }] : state.comments;
      return changed(state, { comments, total: event.commentsCount ?? state.total + (fits ? 1 : 0) });
    }
    case "comment.edited":
      return changed(state, {
        comments: each(state.comments, event.commentId, (comment) =>
          comment.deleted || isOlder(event.editedAt, comment.editedAt)
            ? comment
            : changed(comment, { text: event.text, editedAt: event.editedAt }),
        ),
      });
    case "comment.liked":
      return changed(state, {
        comments: each(state.comments, event.commentId, (comment) =>
          comment.deleted ? comment : changed(comment, { likesCount: event.likesCount }),
        ),
      });
    case "comment.deleted": {
      const left = without(state.comments, event.commentIds);
      const comments = event.emptied.length > 0 ? emptied(left, event.emptied) : left;
      return changed(state, {
        comments,
        before: left === state.comments ? state.before : boundAfter(state, left),
        total: event.commentsCount ?? state.total - (state.comments.length - left.length),
      });
    }
  }
}

/** The numbers beside a blog after an event. */
export function applyBlogEvent<Blog extends Pick<BlogPage, "likesCount" | "savesCount" | "commentsCount">>(
  blog: Blog,
  event: BlogEvent,
): Blog {
  switch (event.kind) {
    case "comment.created":
    case "comment.deleted":
      return event.commentsCount === blog.commentsCount
        ? blog
        : { ...blog, commentsCount: event.commentsCount };
    case "blog.liked":
      return event.likesCount === blog.likesCount ? blog : { ...blog, likesCount: event.likesCount };
    case "blog.saved":
      return event.savesCount === blog.savesCount ? blog : { ...blog, savesCount: event.savesCount };
    default:
      return blog;
  }
}

/**
 * The list with an older page, or another thread, added. `heard` are the events that were applied while the page was under
 * way: it may have been read before them, so they are applied to it again.
 */
export function addComments(
  state: CommentList,
  page: CommentList,
  heard: readonly CommentEvent[],
  before: string | null = page.before,
): CommentList {
  const arrived = new Map(page.comments.map((comment) => [comment.id, comment]));
  const comments = [...state.comments.filter((comment) => !arrived.has(comment.id)), ...page.comments];
  return heard.reduce<CommentList>(applyCommentEvent, { ...state, comments, before, total: page.total });
}

/** Newest first, the id deciding between equal times: the order of threads, the same for everybody. */
export function newestFirst(a: Comment, b: Comment): number {
  return -oldestFirst(a, b);
}
export function oldestFirst(a: Comment, b: Comment): number {
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
  return bound === undefined || newestFirst(root, bound) <= 0;
}

/** A reply is in reach where what it answers is loaded: otherwise it comes with its thread's page. */
function isInReach(state: CommentList, comment: Comment): boolean {
  return comment.parentId === null ? isWithinPages(state, comment) : has(state, comment.parentId);
}

function has(state: CommentList, id: string): boolean {
  return state.comments.some((comment) => comment.id === id);
}

function isOlder(time: string, than: string | null): boolean {
  return than !== null && time < than;
}

function each(
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
  for (let size = -1; size !== gone.size;) {
    size = gone.size;
    for (const comment of comments)
      if (comment.parentId !== null && gone.has(comment.parentId)) gone.add(comment.id);
  }
  const left = comments.filter((comment) => !gone.has(comment.id));
  return left.length === comments.length ? comments : left;
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
