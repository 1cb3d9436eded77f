import type { CommentList } from "../../shared/comments.ts";
import type { trpc } from "../api/trpc.ts";
import { applyCommentEvent, isCommentEvent } from "./apply-comment-event.ts";
import type { CommentEvent } from "./apply-comment-event.ts";
import { heardOf, isBehind } from "./heard.ts";

export type Cache = ReturnType<typeof trpc.useUtils>;

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

/** What was heard of comments since data were read. */
export function heardAfter(blogId: string, cursor: string): CommentEvent[] {
  return heardOf(blogId).after(cursor).filter(isCommentEvent);
}
