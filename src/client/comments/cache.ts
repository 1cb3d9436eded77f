import type { CommentList } from "../../shared/comments.ts";
import type { trpc } from "../api/trpc.ts";
import { addComments, applyCommentEvent, isCommentEvent, newestFirst } from "./apply-comment-event.ts";
import type { CommentEvent } from "./apply-comment-event.ts";
import { heardOf, isBehind } from "./heard.ts";
import { ownChanges } from "./own-changes.ts";

export type Cache = ReturnType<typeof trpc.useUtils>;

/** Pages that are fetched one after the other to bring back as much as was shown. */
const mostPages = 25;

export const cachedComments = (cache: Cache, blogId: string): CommentList | undefined =>
  cache.comments.list.getData({ blogId });

export const isThere = (list: CommentList | undefined, commentId: string): boolean =>
  list?.comments.some((comment) => comment.id === commentId) ?? false;

export function changeComments(
  cache: Cache,
  blogId: string,
  change: (list: CommentList) => CommentList,
): void {
  cache.comments.list.setData({ blogId }, (list) => list && change(list));
}

/** Applies what was heard since the list was read, where a fetch has put an older one into the cache. */
export function catchUp(cache: Cache, blogId: string): void {
  changeComments(cache, blogId, (list) => {
    const heard = heardOf(blogId);
    if (!isBehind(list.cursor, heard.latest(list.cursor))) return list;
    return {
      ...heardAfter(blogId, list.cursor).reduce(applyCommentEvent, list),
      cursor: heard.latest(list.cursor),
    };
  });
}

/** Adds the threads before those that are loaded. Where the list has changed under it, all of it is fetched again. */
export async function loadOlder(cache: Cache, blogId: string): Promise<void> {
  const before = cachedComments(cache, blogId)?.before;
  if (!before) return;
  const page = await cache.client.comments.list.query({ blogId, before }).catch((error: unknown) => {
    if ((error as { data?: { code?: unknown } } | null)?.data?.code === "NOT_FOUND") return undefined;
    throw error;
  });
  if (page) changeComments(cache, blogId, (list) => addComments(list, page, heardAfter(blogId, page.cursor)));
  else await refetchComments(cache, blogId);
}

/** Adds the thread of a comment that a link names, wherever it is. False where there is no such comment. */
export async function loadThread(cache: Cache, blogId: string, commentId: string): Promise<boolean> {
  if (isThere(cachedComments(cache, blogId), commentId)) return true;
  const page = await cache.client.comments.list.query({ blogId, including: commentId });
  changeComments(cache, blogId, (list) =>
    addComments(list, page, heardAfter(blogId, page.cursor), list.before),
  );
  return isThere(page, commentId);
}

/** Fetches the list anew, as far back as it was shown: the reader stays where they are. */
export async function refetchComments(cache: Cache, blogId: string): Promise<void> {
  const known = cachedComments(cache, blogId);
  const oldest = known?.comments.find((comment) => comment.id === known.before);
  const confirmed = ownChanges.of(blogId).filter((change) => change.answered);
  const fetchPage = (before?: string) => cache.client.comments.list.query({ blogId, before });
  let list = await fetchPage();
  for (let page = 1; page < mostPages && oldest && list.before; page++) {
    const last = list.comments.find((comment) => comment.id === list.before);
    if (!last || newestFirst(last, oldest) >= 0) break;
    list = addComments(list, await fetchPage(list.before), []);
  }
  const fresh = heardAfter(blogId, list.cursor).reduce(applyCommentEvent, list);
  cache.comments.list.setData({ blogId }, { ...fresh, cursor: heardOf(blogId).latest(list.cursor) });
  for (const change of confirmed) ownChanges.drop(blogId, change.id);
}

function heardAfter(blogId: string, cursor: string): CommentEvent[] {
  return heardOf(blogId).after(cursor).filter(isCommentEvent);
}
