import type { SeenComment } from "../../shared/comments.ts";
import { newestFirst, oldestFirst } from "./apply-comment-event.ts";

/** A comment in its place: how deep, and how many replies stand below it at any depth. */
export interface Row {
  comment: SeenComment;
  depth: number;
  replies: number;
}

/**
 * The pinned thread first, the others newest first, replies oldest first below what they answer, as one flat list in reading order. Nothing here calls
 * itself: a thread may be as deep as people like.
 */
export function readingOrder(comments: readonly SeenComment[]): Row[] {
  const known = new Set(comments.map((comment) => comment.id));
  const below = new Map<string | null, SeenComment[]>();
  for (const comment of comments) {
    const parent = placeOf(comment, known);
    const siblings = below.get(parent);
    if (siblings) siblings.push(comment);
    else below.set(parent, [comment]);
  }

  const rows: Row[] = [];
  const waiting: Row[] = [];
  const wait = (siblings: SeenComment[] | undefined, depth: number) => {
    for (const comment of siblings ?? []) waiting.push({ comment, depth, replies: 0 });
  };
  // Last in, first out: what is to be read first is put in last.
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

const pinnedLast = (a: SeenComment, b: SeenComment): number =>
  Number(a.mark === "pinned") - Number(b.mark === "pinned");

/** The rows that show: without what is folded away, and without comments that wait to be shown, and what answers them. */
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

/** What is drawn of a list: its rows, and behind a thread that is not loaded to its end the way to the rest. */
export type Item = { id: string; row: Row } | { id: string; rootId: string; hidden: number };

/** Puts the way to more replies behind each thread that has some, unless the reader has folded it away. */
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

/** Under its parent; where that is not loaded, under its thread; failing that, by itself. */
function placeOf(comment: SeenComment, known: ReadonlySet<string>): string | null {
  if (comment.parentId === null) return null;
  if (known.has(comment.parentId)) return comment.parentId;
  return comment.rootId !== comment.id && known.has(comment.rootId) ? comment.rootId : null;
}

/** In reading order a comment's replies follow it at once: from the end, each row is reached after all below it. */
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
