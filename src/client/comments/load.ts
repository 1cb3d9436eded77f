import { getQueryKey } from "@trpc/react-query";
import type { QueryKey } from "@tanstack/react-query";
import type { Comment, CommentList, Place, Replies } from "../../shared/comments.ts";
import { trpc } from "../api/trpc.ts";
import { refetchNow, updateAnswerAt } from "../live/live.ts";
import type { MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { addComments, isWithinPages, newestFirst, oldestFirst } from "./apply-comment-event.ts";

export type Cache = ReturnType<typeof trpc.useUtils>;
type Client = MutationContext["client"];

/** Pages that are fetched one after the other to bring back as much as was shown, and comments that stood by themselves. */
const mostPages = 25;
const mostAlone = 5;
/** As often a page is asked for whose list has changed under it. */
const tries = 3;

export const cachedComments = (cache: Cache, blogId: string): CommentList | undefined =>
  cache.comments.list.getData({ blogId });

const isThere = (list: Replies | undefined, commentId: string): boolean =>
  list?.comments.some((comment) => comment.id === commentId) ?? false;

const keyOf = (blogId: string): QueryKey => getQueryKey(trpc.comments.list, { blogId }, "query");

/** Adds the threads before those that are loaded. Where the list has changed under it, all of it is fetched again. */
export const loadOlder = (cache: Cache, blogId: string): Promise<void> =>
  loadMore(
    cache,
    blogId,
    (list) => list.before,
    (before) => cache.client.comments.list.query({ blogId, before }),
    addComments,
  );

/** Adds more replies of a folded thread. */
export const loadReplies = (cache: Cache, blogId: string, rootId: string): Promise<void> =>
  loadMore(
    cache,
    blogId,
    (list) => list.folds[rootId]?.after ?? null,
    (after) => cache.client.comments.replies.query({ blogId, rootId, after }),
    (list, page) => addComments(list, page, { rootId }),
  );

/** Asks for what stands behind the end of what is loaded, and adds it where that end is still there when it comes. */
async function loadMore<End, Page extends Replies>(
  cache: Cache,
  blogId: string,
  endOf: (list: CommentList) => End | null,
  ask: (end: End) => Promise<Page>,
  add: (list: CommentList, page: Page) => CommentList,
): Promise<void> {
  for (let left = tries; left > 0; left--) {
    const list = cachedComments(cache, blogId);
    const end = list && endOf(list);
    if (!end) return;
    const page = await unlessGone(ask(end));
    const now = cachedComments(cache, blogId);
    if (!page || !now) break;
    const isSameEnd = JSON.stringify(endOf(now)) === JSON.stringify(end);
    if (isSameEnd && updateAnswerAt<CommentList>(keyOf(blogId), page.cursor, (known) => add(known, page)))
      return;
  }
  await refetchNow(keyOf(blogId));
}

const unlessGone = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if ((error as { data?: { code?: unknown } } | null)?.data?.code === "NOT_FOUND") return undefined;
    throw error;
  });

/** Adds the thread of a comment that a link names, wherever it is. False where there is no such comment. */
export async function loadThread(cache: Cache, blogId: string, commentId: string): Promise<boolean> {
  for (let left = tries; left > 0; left--) {
    if (isThere(cachedComments(cache, blogId), commentId)) return true;
    const page = await cache.client.comments.list.query({ blogId, including: commentId });
    const isJoined = updateAnswerAt<CommentList>(keyOf(blogId), page.cursor, (list) =>
      addComments(list, page, { before: list.before }),
    );
    if (isJoined) return isThere(page, commentId);
  }
  return false;
}

/**
 * Reads the list anew, as far back as it is shown, with as many replies of each thread, and with what stands by itself
 * (one's own reply in a folded thread, the comment of a link): the reader stays where they are. What is unfolded meanwhile
 * counts: `shown` is asked at each step.
 */
export async function readAgain(
  client: Client,
  blogId: string,
  shown: () => CommentList,
): Promise<CommentList> {
  const { list: lists, replies } = client.comments;
  let list = await lists.query({ blogId });
  let pages = 1;
  while (pages++ < mostPages && list.before) {
    const oldest = boundOf(shown()) ?? rootsOf(shown()).at(0);
    const last = boundOf(list);
    if (!oldest || !last || newestFirst(last, oldest) >= 0) break;
    list = addComments(list, await lists.query({ blogId, before: list.before }));
  }
  for (const rootId of Object.keys(list.folds)) {
    for (let fold = list.folds[rootId]; fold && pages++ < mostPages; fold = list.folds[rootId]) {
      const end = lastOf(shown(), rootId);
      if (!end || oldestFirst(fold.after, end) >= 0) break;
      const page = await unlessGone(replies.query({ blogId, rootId, after: fold.after }));
      if (!page) break;
      list = addComments(list, page, { rootId });
    }
  }
  const known = shown();
  for (const { id } of known.comments.filter((comment) => isAlone(known, comment)).slice(-mostAlone))
    if (!isThere(list, id))
      list = addComments(list, await lists.query({ blogId, including: id }), { before: list.before });
  return list;
}

const boundOf = ({ comments, before }: CommentList): Comment | undefined =>
  comments.find((comment) => comment.id === before);

const rootsOf = ({ comments }: CommentList): Comment[] =>
  comments.filter(({ parentId }) => parentId === null).toSorted(oldestFirst);

/** How far a thread is loaded. */
function lastOf({ comments, folds }: CommentList, rootId: string): Place | undefined {
  const fold = folds[rootId];
  return fold
    ? fold.after
    : comments
        .filter((comment) => comment.rootId === rootId)
        .toSorted(oldestFirst)
        .at(-1);
}

/** Whether a comment is behind the end of its thread or beyond the pages that are loaded. */
function isAlone(list: CommentList, comment: Comment): boolean {
  if (comment.parentId === null) return !isWithinPages(list, comment);
  const fold = list.folds[comment.rootId];
  return fold !== undefined && oldestFirst(comment, fold.after) > 0;
}
