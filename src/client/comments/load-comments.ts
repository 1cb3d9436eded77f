import { getQueryKey } from "@trpc/react-query";
import type { QueryKey } from "@tanstack/react-query";
import type { Comment, CommentList, CommentPosition, Replies } from "../../shared/comments.ts";
import { trpc } from "../api/trpc.ts";
import { refetchNow, updateAnswerAt } from "../live/live.ts";
import type { MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { addComments, isWithinPages, newestFirst, oldestFirst } from "./apply-comment-event.ts";

export type Cache = ReturnType<typeof trpc.useUtils>;
type Client = MutationContext["client"];

/** Limits for restoring what was shown: pages, and isolated comments. */
const maxPages = 25;
const maxIsolated = 5;
/** Attempts to load a page whose list changes meanwhile. */
const maxAttempts = 3;

export const cachedComments = (cache: Cache, blogId: string): CommentList | undefined =>
  cache.comments.list.getData({ blogId });

const includesComment = (list: Replies | undefined, commentId: string): boolean =>
  list?.comments.some((comment) => comment.id === commentId) ?? false;

const keyOf = (blogId: string): QueryKey => getQueryKey(trpc.comments.list, { blogId }, "query");

/** Loads older threads. If the list keeps changing meanwhile, fetches it again. */
export const loadOlder = (cache: Cache, blogId: string): Promise<void> =>
  loadMore(
    cache,
    blogId,
    (list) => list.before,
    (before) => cache.client.comments.list.query({ blogId, before }),
    addComments,
  );

export const loadReplies = (cache: Cache, blogId: string, rootId: string): Promise<void> =>
  loadMore(
    cache,
    blogId,
    (list) => list.folds[rootId]?.after ?? null,
    (after) => cache.client.comments.replies.query({ blogId, rootId, after }),
    (list, page) => addComments(list, page, { rootId }),
  );

/** Loads the page after the loaded end, and adds it if the end has not changed. */
async function loadMore<End, Page extends Replies>(
  cache: Cache,
  blogId: string,
  endOf: (list: CommentList) => End | null,
  fetchPage: (end: End) => Promise<Page>,
  add: (list: CommentList, page: Page) => CommentList,
): Promise<void> {
  for (let left = maxAttempts; left > 0; left--) {
    const list = cachedComments(cache, blogId);
    const end = list && endOf(list);
    if (!end) return;
    const page = await undefinedIfNotFound(fetchPage(end));
    const now = cachedComments(cache, blogId);
    if (!page || !now) break;
    const isSameEnd = JSON.stringify(endOf(now)) === JSON.stringify(end);
    if (isSameEnd && updateAnswerAt<CommentList>(keyOf(blogId), page.cursor, (cached) => add(cached, page)))
      return;
  }
  await refetchNow(keyOf(blogId));
}

const undefinedIfNotFound = <T>(request: Promise<T>): Promise<T | undefined> =>
  request.catch((error: unknown) => {
    if ((error as { data?: { code?: unknown } } | null)?.data?.code === "NOT_FOUND") return undefined;
    throw error;
  });

/** Loads the thread of a linked comment. Returns false if the comment is not found. */
export async function loadThread(cache: Cache, blogId: string, commentId: string): Promise<boolean> {
  for (let left = maxAttempts; left > 0; left--) {
    if (includesComment(cachedComments(cache, blogId), commentId)) return true;
    const page = await cache.client.comments.list.query({ blogId, including: commentId });
    const isJoined = updateAnswerAt<CommentList>(keyOf(blogId), page.cursor, (list) =>
      addComments(list, page, { before: list.before }),
    );
    if (isJoined) return includesComment(page, commentId);
  }
  return false;
}

/**
 * Fetches the list again, as far as it is shown, with as many replies and the isolated comments (the viewer's reply in a folded
 * thread, a linked comment). `shown` is called at each step, since more may be unfolded meanwhile.
 */
export async function refetchShown(
  client: Client,
  blogId: string,
  shown: () => CommentList,
): Promise<CommentList> {
  const { list: lists, replies } = client.comments;
  let list = await lists.query({ blogId });
  let pages = 1;
  while (pages++ < maxPages && list.before) {
    const oldest = boundOf(shown()) ?? rootsOf(shown()).at(0);
    const last = boundOf(list);
    if (!oldest || !last || newestFirst(last, oldest) >= 0) break;
    list = addComments(list, await lists.query({ blogId, before: list.before }));
  }
  for (const rootId of Object.keys(list.folds)) {
    for (let fold = list.folds[rootId]; fold && pages++ < maxPages; fold = list.folds[rootId]) {
      const end = lastLoaded(shown(), rootId);
      if (!end || oldestFirst(fold.after, end) >= 0) break;
      const page = await undefinedIfNotFound(replies.query({ blogId, rootId, after: fold.after }));
      if (!page) break;
      list = addComments(list, page, { rootId });
    }
  }
  const shownList = shown();
  for (const { id } of shownList.comments
    .filter((comment) => isIsolated(shownList, comment))
    .slice(-maxIsolated))
    if (!includesComment(list, id))
      list = addComments(list, await lists.query({ blogId, including: id }), { before: list.before });
  return list;
}

const boundOf = ({ comments, before }: CommentList): Comment | undefined =>
  comments.find((comment) => comment.id === before);

const rootsOf = ({ comments }: CommentList): Comment[] =>
  comments.filter(({ parentId }) => parentId === null).toSorted(oldestFirst);

/** The position of a thread's last loaded comment. */
function lastLoaded({ comments, folds }: CommentList, rootId: string): CommentPosition | undefined {
  const fold = folds[rootId];
  return fold
    ? fold.after
    : comments
        .filter((comment) => comment.rootId === rootId)
        .toSorted(oldestFirst)
        .at(-1);
}

/** Whether a comment lies beyond the loaded part of its thread or the loaded pages. */
function isIsolated(list: CommentList, comment: Comment): boolean {
  if (comment.parentId === null) return !isWithinPages(list, comment);
  const fold = list.folds[comment.rootId];
  return fold !== undefined && oldestFirst(comment, fold.after) > 0;
}
