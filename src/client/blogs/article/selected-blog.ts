import { useEffect } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import type { CommentList, ViewerComment } from "../../../shared/comments.ts";
import type { Person } from "../../../shared/users.ts";
import { SELECTED_BLOG } from "../../session/stored-user.ts";
import { useViewer } from "../../session/viewer.ts";

const maxComments = 200;
/** The longest stored text in characters. Browsers allow a site about five million in all. */
const maxTextLength = 1_000_000;

interface StoredComment {
  _id: string;
  user: ReturnType<typeof personOf> | null;
  comment: string;
  createdAt: string;
  likes: string[];
  likesCount: number;
  replies: StoredComment[];
  parentComment: string | null;
}

/** Returns the blog in the format of /api/v1. Of those who like or save it, only the viewer is known. */
export function selectedBlog(blog: BlogPage, list: CommentList | undefined, viewerId: string | undefined) {
  const viewerIf = (isIncluded: boolean) => (isIncluded && viewerId ? [viewerId] : []);
  return {
    _id: blog.id,
    blogId: blog.slug,
    title: blog.title,
    description: blog.description,
    image: blog.cover?.src ?? null,
    content: storedHtml(blog.html),
    tags: blog.tags,
    draft: blog.draft,
    private: blog.private,
    createdAt: blog.publishedAt,
    creator: { ...personOf(blog.author), followers: viewerIf(blog.follow === "following") },
    likes: viewerIf(blog.liked),
    likesCount: blog.likesCount,
    comments: threadsOf(list?.comments.slice(0, maxComments) ?? [], viewerIf),
    commentsCount: blog.commentsCount,
    totalSaves: viewerIf(blog.saved),
    totalSavesCount: blog.savesCount,
  };
}

/** Returns the HTML as stored, without what was added for display. */
const storedHtml = (html: string): string =>
  html
    .replace(/<div class="code"[^]*?(<pre[^]*?<\/pre>)<\/div>/g, (_drawn, pre: string) =>
      pre.replace(/<\/?span[^>]*>/g, ""),
    )
    .replace(/(<\w+(?: class="callout-label")?) dir="(?:auto|ltr)"/g, "$1");

const personOf = ({ id, name, username, picture }: Person) => ({
  _id: id,
  name,
  username,
  profilePic: picture,
});

/** Nests replies in their comments; a reply without its comment here becomes a thread. */
function threadsOf(comments: ViewerComment[], viewerIf: (isIncluded: boolean) => string[]): StoredComment[] {
  const byId = new Map<string, StoredComment>();
  for (const { id, author, text, createdAt, liked, likesCount, parentId } of comments)
    byId.set(id, {
      _id: id,
      user: author && personOf(author),
      comment: text,
      createdAt,
      likes: viewerIf(liked),
      likesCount,
      replies: [],
      parentComment: parentId,
    });
  const threads: StoredComment[] = [];
  for (const comment of byId.values())
    (byId.get(comment.parentComment ?? "")?.replies ?? threads).push(comment);
  return threads;
}

/** Milliseconds until the page is loaded: the service worker starts later. */
const workerDelayMs = 3_000;

const notifyWorker = (): unknown =>
  import("../../storage/register-service-worker.ts").then(
    ({ postToServiceWorker }) => postToServiceWorker({ kind: "read", path: location.pathname }),
    () => undefined,
  );

/** Pause after the last change, in milliseconds. */
const storeDelayMs = 1_000;

/** Stores the blog being read and its comments in the local storage while it is open. */
export function useSelectedBlog(blog: BlogPage, list: CommentList | undefined): void {
  const viewerId = useViewer()?.id;
  useEffect(() => {
    const timer = setTimeout(() => storeSelected(blog, list, viewerId), storeDelayMs);
    return () => clearTimeout(timer);
  }, [blog, list, viewerId]);
  useEffect(() => removeSelected, [blog.id]);
}

/** Stores as much of the blog as fits; the service worker caches its page. */
function storeSelected(...args: Parameters<typeof selectedBlog>): void {
  setTimeout(notifyWorker, workerDelayMs);
  const selected = selectedBlog(...args);
  for (const variant of [
    selected,
    { ...selected, comments: [] },
    { ...selected, comments: [], content: "" },
  ]) {
    const text = JSON.stringify(variant);
    if (text.length > maxTextLength) continue;
    try {
      localStorage.setItem(SELECTED_BLOG, text);
      return;
    } catch {
      // Full: less may fit.
    }
  }
  removeSelected();
}

function removeSelected(): void {
  try {
    localStorage.removeItem(SELECTED_BLOG);
  } catch {
    // Storage is not available.
  }
}
