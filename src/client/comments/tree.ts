import type { ViewerComment } from "../../shared/comments.ts";
import { newestFirst, oldestFirst } from "./apply-comment-event.ts";

/** `replies` counts all depths. */
export interface Row {
  comment: ViewerComment;
  depth: number;
  replies: number;
}

/**
 * Returns a flat list in reading order: the pinned thread, then the newest first; replies oldest first below their parent. Not
 * recursive, since a thread can have any depth.
 */
export function readingOrder(comments: readonly ViewerComment[]): Row[] {
  const knownIds = new Set(comments.map((comment) => comment.id));
  const below = new Map<string | null, ViewerComment[]>();
  for (const comment of comments) {
    const parent = parentInList(comment, knownIds);
    const siblings = below.get(parent);
    if (siblings) siblings.push(comment);
    else below.set(parent, [comment]);
  }

  const rows: Row[] = [];
  const waiting: Row[] = [];
  const wait = (siblings: ViewerComment[] | undefined, depth: number) => {
    for (const comment of siblings ?? []) waiting.push({ comment, depth, replies: 0 });
  };
  // A stack: what is read first is pushed last.
  wait(
    below.get(null)?.sort((a, b) => pinnedLast(a, b) || oldestFirst(a, b)),
    0,
  );
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    wait(below.get(row.comment.id)?.sort(newestFirst), row.depth + 1);
  }
  countReplies(rows);
  return rows;
}

const pinnedLast = (a: ViewerComment, b: ViewerComment): number =>
  Number(a.mark === "pinned") - Number(b.mark === "pinned");

/** Returns the rows without folded replies, waiting comments and replies to those. */
export function visibleRows(
  rows: readonly Row[],
  folded: ReadonlySet<string>,
  waiting: ReadonlySet<string>,
): Row[] {
  const shown: Row[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (!row) break;
    const hidden = waiting.has(row.comment.id);
    if (!hidden) shown.push(row);
    if (hidden || folded.has(row.comment.id)) index += row.replies;
  }
  return shown;
}

/** A row, or the button for a thread's unloaded replies. */
export type Item = { id: string; row: Row } | { id: string; rootId: string; hidden: number };

/** Adds a button after each thread with unloaded replies, unless it is folded. */
export function withFolds(
  shown: readonly Row[],
  folded: ReadonlySet<string>,
  hidden: (rootId: string) => number,
): Item[] {
  return shown.flatMap((row, index): Item[] => {
    const item = { id: row.comment.id, row };
    const next = shown[index + 1];
    const { rootId } = row.comment;
    const count = (next && next.depth > 0) || folded.has(rootId) ? 0 : hidden(rootId);
    return count > 0 ? [item, { id: `more-${rootId}`, rootId, hidden: count }] : [item];
  });
}

/** The parent or, if that is not loaded, the root of the thread; null for neither. */
function parentInList(comment: ViewerComment, knownIds: ReadonlySet<string>): string | null {
  if (comment.parentId === null) return null;
  if (knownIds.has(comment.parentId)) return comment.parentId;
  return comment.rootId !== comment.id && knownIds.has(comment.rootId) ? comment.rootId : null;
}

/** Replies follow their comment: from the end, each row comes after all its replies. */
function countReplies(rows: Row[]): void {
  const open: number[] = [];
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index];
    if (!row) continue;
    row.replies = open[row.depth + 1] ?? 0;
    open[row.depth + 1] = 0;
    open[row.depth] = (open[row.depth] ?? 0) + row.replies + 1;
  }
}
