import type { Comment, CommentList, Place } from "../../shared/comments.ts";
import {
  addComments,
  applyCommentEvent,
  isWithinPages,
  newestFirst,
  oldestFirst,
} from "./apply-comment-event.ts";
import { cachedComments, changeComments, heardAfter, isThere } from "./cache.ts";
import type { Cache } from "./cache.ts";
import { heardOf } from "./heard.ts";
import { ownChanges } from "./own-changes.ts";

/** Pages that are fetched one after the other to bring back as much as was shown, and comments that stood by themselves. */
const mostPages = 25;
const mostAlone = 5;

/** Adds the threads before those that are loaded. Where the list has changed under it, all of it is fetched again. */
export async function loadOlder(cache: Cache, blogId: string): Promise<void> {
  const before = cachedComments(cache, blogId)?.before;
  if (!before) return;
  const page = await unlessGone(cache.client.comments.list.query({ blogId, before }));
  if (page) changeComments(cache, blogId, (list) => addComments(list, page, heardAfter(blogId, page.cursor)));
  else await refetchComments(cache, blogId);
}

/** Adds more replies of a folded thread. */
export async function loadReplies(cache: Cache, blogId: string, rootId: string): Promise<void> {
  const after = cachedComments(cache, blogId)?.folds[rootId]?.after;
  if (!after) return;
  const page = await unlessGone(cache.client.comments.replies.query({ blogId, rootId, after }));
  if (page)
    changeComments(cache, blogId, (list) =>
      addComments(list, page, heardAfter(blogId, page.cursor), { rootId }),
    );
  else await refetchComments(cache, blogId);
}

const unlessGone = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if ((error as { data?: { code?: unknown } } | null)?.data?.code === "NOT_FOUND") return undefined;
    throw error;
  });

/** Adds the thread of a comment that a link names, wherever it is. False where there is no such comment. */
export async function loadThread(cache: Cache, blogId: string, commentId: string): Promise<boolean> {
  if (isThere(cachedComments(cache, blogId), commentId)) return true;
  const page = await cache.client.comments.list.query({ blogId, including: commentId });
  changeComments(cache, blogId, (list) =>
    addComments(list, page, heardAfter(blogId, page.cursor), { before: list.before }),
  );
  return isThere(page, commentId);
}

/**
 * Fetches the list anew, as far back as it was shown, with as many replies of each thread, and with what stood by itself
 * (one's own reply in a folded thread, the comment of a link): the reader stays where they are.
 */
export async function refetchComments(cache: Cache, blogId: string): Promise<void> {
  const known = cachedComments(cache, blogId);
  const oldest = known?.comments.find((comment) => comment.id === known.before);
  const confirmed = ownChanges.of(blogId).filter((change) => change.answered);
  const { list: lists, replies } = cache.client.comments;
  let list = await lists.query({ blogId });
  let pages = 1;
  while (pages++ < mostPages && oldest && list.before) {
    const last = list.comments.find((comment) => comment.id === list.before);
    if (!last || newestFirst(last, oldest) >= 0) break;
    list = addComments(list, await lists.query({ blogId, before: list.before }), []);
  }
  for (const [rootId, end] of known ? endsOf(known) : []) {
    for (let fold = list.folds[rootId]; fold && pages++ < mostPages; fold = list.folds[rootId]) {
      if (oldestFirst(fold.after, end) >= 0) break;
      const page = await unlessGone(replies.query({ blogId, rootId, after: fold.after }));
      if (!page) break;
      list = addComments(list, page, [], { rootId });
    }
  }
  for (const { id } of known?.comments.filter((comment) => isAlone(known, comment)).slice(-mostAlone) ?? []) {
    if (!isThere(list, id))
      list = addComments(list, await lists.query({ blogId, including: id }), [], { before: list.before });
  }
  const fresh = heardAfter(blogId, list.cursor).reduce(applyCommentEvent, list);
  cache.comments.list.setData({ blogId }, { ...fresh, cursor: heardOf(blogId).latest(list.cursor) });
  for (const change of confirmed) ownChanges.drop(blogId, change.id);
}

/** How far each thread was loaded. */
function endsOf({ comments, folds }: CommentList): Map<string, Place> {
  const ends = new Map<string, Place>();
  for (const comment of comments) {
    const end = ends.get(comment.rootId);
    if (!end || oldestFirst(end, comment) < 0)
      ends.set(comment.rootId, folds[comment.rootId]?.after ?? comment);
  }
  return ends;
}

/** Whether a comment is behind the end of its thread or beyond the pages that are loaded. */
function isAlone(list: CommentList, comment: Comment): boolean {
  if (comment.parentId === null) return !isWithinPages(list, comment);
  const fold = list.folds[comment.rootId];
  return fold !== undefined && oldestFirst(comment, fold.after) > 0;
}
