import { useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import type { BlogPage } from "../../shared/blogs.ts";
import type { Comment } from "../../shared/comments.ts";
import type { BlogEvent } from "../../shared/events.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode } from "../api/errors.ts";
import { useLive } from "../api/live.ts";
import { trpc } from "../api/trpc.ts";
import { untilAnswered } from "../api/until-answered.ts";
import { fetchCode } from "../app/fetch-code.ts";
import { showHead } from "../app/head.ts";
import { applyBlogEvent, applyCommentEvent, isCommentEvent } from "../comments/apply-comment-event.ts";
import { cachedComments, catchUp, changeComments } from "../comments/cache.ts";
import type { Cache } from "../comments/cache.ts";
import { earlier, heardOf, isBehind } from "../comments/heard.ts";
import { ownChanges } from "../comments/own-changes.ts";
import { switchKey, wishes } from "../social/standing.ts";
import { useUserEvents } from "../users/user-events.ts";
import { useViewer } from "../users/viewer.ts";
import { articleFacts } from "./article-facts.ts";

interface Listeners {
  /** Somebody else wrote a comment that this page did not have. */
  onComment(comment: Comment): void;
  /** It may not be read any more, or is deleted. */
  onGone(): void;
}

/**
 * Keeps an open blog and its comments as a fresh load would show them: follows the blog's stream from where both were
 * read, applies each event to the cache, and fetches again what no event can tell.
 */
export function useBlogLive(blog: BlogPage, { onComment, onGone }: Listeners): void {
  const cache = trpc.useUtils();
  const viewer = useViewer();
  const refetch = useRefetch(cache, blog, onGone);
  const comments = cachedComments(cache, blog.id);

  useLive<BlogEvent>(
    blog.id,
    comments ? earlier(blog.cursor, comments.cursor) : blog.cursor,
    (since, handle) => cache.client.blogs.live.subscribe({ blogId: blog.id, since }, handle),
    (event, cursor) => {
      if (event.kind === "gone") return onGone();
      if (event.kind === "reset") {
        heardOf(blog.id).clear();
        void readAgain(cache, blog.id);
        return refetch();
      }
      if (event.kind === "blog.edited") refetch();
      const own = event.kind === "comment.created" && event.comment.author?.id === viewer?.id;
      if (event.kind === "comment.created" && !own && isNew(cache, event.comment)) onComment(event.comment);
      const told = { ...event, own };
      apply(cache, blog, told, cursor);
    },
  );

  useUserEvents((event) => {
    if (event.kind === "reset") void readAgain(cache, blog.id);
  });

  // A fetch may have put something into the cache that was read before what was heard.
  useEffect(() => {
    const heard = heardOf(blog.id);
    if (isBehind(blog.cursor, heard.latest(blog.cursor))) {
      cache.blogs.bySlug.setData({ slug: blog.slug }, (known) => known && caughtUp(known));
    }
    catchUp(cache, blog.id);
  }, [cache, blog, comments]);
}

function apply(cache: Cache, blog: BlogPage, event: BlogEvent, cursor: string): void {
  heardOf(blog.id).add(cursor, event);
  cache.blogs.bySlug.setData(
    { slug: blog.slug },
    (known) => known && { ...applyBlogEvent(known, event), cursor },
  );
  changeComments(cache, blog.id, (list) => ({
    ...(isCommentEvent(event) ? applyCommentEvent(list, event) : list),
    cursor,
  }));
  ownChanges.heard(blog.id, event);
  if (event.kind === "blog.liked") wishes.heard(switchKey.like(blog.id), event.likesCount);
  if (event.kind === "blog.saved") wishes.heard(switchKey.save(blog.id), event.savesCount);
  if (event.kind === "comment.liked") wishes.heard(switchKey.commentLike(event.commentId), event.likesCount);
}

function isNew(cache: Cache, comment: Comment): boolean {
  return !(cachedComments(cache, comment.blogId)?.comments.some((known) => known.id === comment.id) ?? false);
}

function caughtUp(blog: BlogPage): BlogPage {
  const heard = heardOf(blog.id);
  return {
    ...heard.after(blog.cursor).reduce<BlogPage>(applyBlogEvent, blog),
    cursor: heard.latest(blog.cursor),
  };
}

/**
 * Reads the comments again as they were shown. The code for it comes with the comments' own, which most readers never open;
 * where it can't be had (a new release), their first page is read.
 */
async function readAgain(cache: Cache, blogId: string): Promise<void> {
  const code = await fetchCode(() => import("../comments/load.ts")).catch(() => undefined);
  if (!code) return cache.comments.list.invalidate({ blogId });
  await untilAnswered(() => code.refetchComments(cache, blogId)).catch(() => {});
}

/** Fetches the blog again, one request at a time; a change that is told of meanwhile asks for another. */
function useRefetch(cache: Cache, { slug }: BlogPage, onGone: () => void): () => void {
  const navigate = useNavigate();
  const state = useRef<"idle" | "running" | "again">("idle");
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const read = () =>
    untilAnswered(
      () => cache.client.blogs.bySlug.query({ slug }),
      () => isShown.current,
    );
  const refetch = async (): Promise<void> => {
    if (state.current !== "idle") {
      state.current = "again";
      return;
    }
    state.current = "running";
    try {
      const fresh = caughtUp(await read());
      cache.blogs.bySlug.setData({ slug: fresh.slug }, fresh);
      if (!isShown.current) return;
      showHead(articleFacts(fresh), cache.users.site.getData());
      if (fresh.slug !== slug) void navigate(routes.blog(fresh.slug) + location.hash, { replace: true });
    } catch (error) {
      if (errorCode(error) === "NOT_FOUND") onGone();
      // It was left meanwhile, or the server has a fault: whoever comes back asks.
      else void cache.blogs.bySlug.invalidate({ slug }, { refetchType: "none" });
    } finally {
      const again = (state.current as string) === "again";
      state.current = "idle";
      if (again) void refetch();
    }
  };
  return () => void refetch();
}
