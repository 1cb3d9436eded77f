import type { z } from "zod";
import type { CommentList, FoldedThread, ListComments, ListReplies, Replies } from "../../shared/comments.ts";
import { countBeside } from "../../shared/comment-count.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { readableBlog } from "../blogs/access.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { pendingFor } from "./pending.ts";
import { presentSeenComment } from "./present.ts";
import * as queries from "./queries.ts";
import type { CommentRow } from "./queries.ts";

/** Returns a page of a blog's threads, newest first; `before` is the previous page's last top-level comment. */
export async function listComments(
  ctx: Context,
  { blogId, before, including: linkedId }: z.output<typeof ListComments>,
): Promise<Omit<CommentList, "cursor">> {
  const { read } = ctx.database;
  const reader: Reader = { connection: read, viewerId: ctx.viewer?.id ?? null };
  const blog = await readableBlog(read, ctx.viewer, { id: blogId });
  const after = before ? await queries.commentById(read, before, reader.viewerId) : undefined;
  if (before && after?.blogId !== blogId)
    throw new AppError("not_found", "The list has changed. Please load it again.");
  const top = await queries.listTop(read, blogId, reader.viewerId, limits.page.comments + 1, after);
  const page = await firstReplies(reader, top.slice(0, limits.page.comments));
  const last = page.roots.at(-1);
  const pinned = before ? undefined : await queries.pinnedOf(read, blogId);
  if (pinned) await includeLinked(reader, page, blogId, pinned);
  if (linkedId) await includeLinked(reader, page, blogId, linkedId);
  const list = { ...presentPage(page), before: last && top.at(-1) !== last ? last.id : null };
  return {
    ...list,
    total: before ? blog.commentsCount : countBeside(list, blog.commentsCount),
    ...(before || !ctx.viewer ? {} : await pendingFor(read, blog, ctx.viewer)),
  };
}

/** Returns a page of a thread's replies after a position, or the first. */
export async function listReplies(
  ctx: Context,
  { blogId, rootId, after }: z.output<typeof ListReplies>,
): Promise<Omit<Replies, "cursor">> {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id ?? null;
  const blog = await readableBlog(read, ctx.viewer, { id: blogId });
  const root = await queries.commentById(read, rootId, viewerId);
  if (root?.blogId !== blogId || root.parentId !== null)
    throw new AppError("not_found", "This thread no longer exists.");
  const size = limits.replies.page;
  const rows = await queries.listReplies(read, rootId, viewerId, size + 1, {
    after: after ? { createdAt: Date.parse(after.createdAt), id: after.id } : { createdAt: 0, id: "" },
  });
  const fitsBudget = responseBudget();
  const cutIndex = rows.findIndex((row, index) => index === size || !(fitsBudget(row) || index === 0));
  const page: Page = { roots: [], replies: cutIndex === -1 ? rows : rows.slice(0, cutIndex), folds: {} };
  const last = page.replies.at(-1);
  if (cutIndex !== -1 && last) {
    const sizes = await queries.sizesOfThreads(read, [rootId], viewerId);
    page.folds[rootId] = foldAfter(last, sizes);
  }
  return { ...presentPage(page), total: blog.commentsCount };
}

interface Reader {
  connection: Connection;
  viewerId: string | null;
}

interface Page {
  roots: CommentRow[];
  replies: CommentRow[];
  folds: Record<string, FoldedThread>;
}

const presentPage = ({ roots, replies, folds }: Page): Pick<CommentList, "comments" | "folds"> => ({
  comments: [...roots, ...replies].map(presentSeenComment),
  folds,
});

/** Returns as many threads with first replies as fit a page, at least one. */
async function firstReplies({ connection, viewerId }: Reader, top: CommentRow[]): Promise<Page> {
  const { rows, whole: maxWhole, few: maxFirst } = limits.replies;
  if (top.length === 0) return { roots: [], replies: [], folds: {} };
  const sizes = await queries.sizesOfThreads(connection, idsOf(top), viewerId);
  const shownReplies = ({ id }: CommentRow): number => {
    const repliesCount = (sizes.get(id) ?? 1) - 1;
    return repliesCount > maxWhole ? maxFirst : repliesCount;
  };
  const fitsBudget = responseBudget();
  let rendered = 0;
  const fullIndex = top.findIndex(
    (root, index) => !((fitsBudget(root) && (rendered += 1 + shownReplies(root)) <= rows) || index === 0),
  );
  const roots = fullIndex === -1 ? top : top.slice(0, fullIndex);
  const idsWithReplies = idsOf(roots).filter((id) => (sizes.get(id) ?? 1) > 1);
  const first =
    idsWithReplies.length > 0
      ? (await queries.listFirstReplies(connection, idsWithReplies, viewerId, maxWhole)).toSorted(byTime)
      : [];
  const page: Page = { roots, replies: [], folds: {} };
  for (const root of roots) {
    const replies = first.filter(({ rootId }) => rootId === root.id).slice(0, shownReplies(root));
    const cutIndex = replies.findIndex((row) => !fitsBudget(row));
    const fitting = cutIndex === -1 ? replies : replies.slice(0, cutIndex);
    page.replies.push(...fitting);
    if (fitting.length < (sizes.get(root.id) ?? 1) - 1)
      page.folds[root.id] = foldAfter(fitting.at(-1) ?? root, sizes);
  }
  return page;
}

/** Adds a linked comment with its ancestors and neighbours. */
async function includeLinked(reader: Reader, page: Page, blogId: string, id: string): Promise<void> {
  const { connection, viewerId } = reader;
  const { above: maxAncestors, around: neighbours } = limits.replies;
  const linked = await queries.commentById(connection, id, viewerId);
  if (linked?.blogId !== blogId || linked.isHidden) return;
  if (!page.roots.some((root) => root.id === linked.rootId)) {
    const root = await queries.commentById(connection, linked.rootId, viewerId);
    const thread = await firstReplies(reader, root ? [root] : []);
    page.roots.push(...thread.roots);
    page.replies.push(...thread.replies);
    Object.assign(page.folds, thread.folds);
  }
  const shownIds = new Set(idsOf([...page.roots, ...page.replies]));
  if (shownIds.has(id)) return;
  const ancestors = (await queries.listAncestors(connection, id, viewerId, maxAncestors))
    .toSorted(byTime)
    .toReversed();
  const at = { rootId: linked.rootId, limit: neighbours };
  const before = await queries.listReplies(connection, at.rootId, viewerId, at.limit, { before: linked });
  const after = await queries.listReplies(connection, at.rootId, viewerId, at.limit, { after: linked });
  const fitsBudget = responseBudget();
  const addRow = (row: CommentRow): void => {
    if (shownIds.has(row.id) || !(fitsBudget(row) || row === linked)) return;
    shownIds.add(row.id);
    page.replies.push(row);
  };
  for (const row of [linked, ...ancestors]) addRow(row);
  // Of the neighbours, only those whose parent is shown.
  for (const row of [...before.toReversed(), ...after])
    if (row.parentId && shownIds.has(row.parentId)) addRow(row);
}

function foldAfter(last: CommentRow, sizes: Map<string, number>): FoldedThread {
  return {
    repliesCount: (sizes.get(last.rootId) ?? 1) - 1,
    after: { createdAt: new Date(last.createdAt).toISOString(), id: last.id },
  };
}

const idsOf = (rows: CommentRow[]): string[] => rows.map(({ id }) => id);

const byTime = (a: CommentRow, b: CommentRow): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Returns a function that reports for each further comment whether it still fits. */
function responseBudget(): (row: CommentRow) => boolean {
  let remaining: number = limits.replies.characters;
  return ({ text }) => (remaining -= text.length) >= 0;
}
