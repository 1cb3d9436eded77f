import { useEffect } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import type { CommentList, SeenComment } from "../../../shared/comments.ts";
import type { Person } from "../../../shared/users.ts";
import { SELECTED_BLOG } from "../../session/stored-user.ts";
import { useViewer } from "../../session/viewer.ts";

const mostComments = 200;
/** Characters. Browsers give a site about five million for everything it keeps. */
const mostText = 1_000_000;

interface KeptComment {
  _id: string;
  user: ReturnType<typeof personOf> | null;
  comment: string;
  createdAt: string;
  likes: string[];
  likesCount: number;
  replies: KeptComment[];
  parentComment: string | null;
}

/** The blog with the names that /api/v1 has for it. Of people who like it and save it the page knows the reader alone. */
export function selectedBlog(blog: BlogPage, list: CommentList | undefined, viewerId: string | undefined) {
  const own = (isOne: boolean) => (isOne && viewerId ? [viewerId] : []);
  return {
    _id: blog.id,
    blogId: blog.slug,
    title: blog.title,
    description: blog.description,
    image: blog.cover?.src ?? null,
    content: undrawn(blog.html),
    tags: blog.tags,
    draft: blog.draft,
    private: blog.private,
    createdAt: blog.publishedAt,
    creator: { ...personOf(blog.author), followers: own(blog.follow === "following") },
    likes: own(blog.liked),
    likesCount: blog.likesCount,
    comments: threadsOf(list?.comments.slice(0, mostComments) ?? [], own),
    commentsCount: blog.commentsCount,
    totalSaves: own(blog.saved),
    totalSavesCount: blog.savesCount,
  };
}

/** The text as it is stored: without what is there for who looks at it. */
const undrawn = (html: string): string =>
  html
    .replace(/<div class="code"[^]*?(<pre[^]*?<\/pre>)<\/div>/g, (_drawn, pre: string) =>
      pre.replace(/<\/?span[^>]*>/g, ""),
    )
    .replace(/(<\w+) dir="auto"/g, "$1");

const personOf = ({ id, name, username, picture }: Person) => ({
  _id: id,
  name,
  username,
  profilePic: picture,
});

/** Replies within what they answer; one whose comment is not among these stands by itself. */
function threadsOf(comments: SeenComment[], own: (isOne: boolean) => string[]): KeptComment[] {
  const kept = new Map<string, KeptComment>();
  for (const { id, author, text, createdAt, liked, likesCount, parentId } of comments)
    kept.set(id, {
      _id: id,
      user: author && personOf(author),
      comment: text,
      createdAt,
      likes: own(liked),
      likesCount,
      replies: [],
      parentComment: parentId,
    });
  const threads: KeptComment[] = [];
  for (const comment of kept.values())
    (kept.get(comment.parentComment ?? "")?.replies ?? threads).push(comment);
  return threads;
}

/** By then the page has all that it needs: the worker begins after it. */
const settled = 3_000;

const tellOfReading = (): unknown =>
  import("../../device/worker.ts").then(
    ({ tellWorker }) => tellWorker({ kind: "read", path: location.pathname }),
    () => undefined,
  );

/** Pause after the last change, in milliseconds. */
const quiet = 1_000;

/** Keeps the blog being read, with its comments, in the local storage for as long as it is read. */
export function useSelectedBlog(blog: BlogPage, list: CommentList | undefined): void {
  const viewerId = useViewer()?.id;
  useEffect(() => {
    const timer = setTimeout(() => keepSelected(blog, list, viewerId), quiet);
    return () => clearTimeout(timer);
  }, [blog, list, viewerId]);
  useEffect(() => forget, [blog.id]);
}

/** Keeps it in the local storage, or as much of it as there is room for; the worker keeps its page. */
function keepSelected(...of: Parameters<typeof selectedBlog>): void {
  setTimeout(tellOfReading, settled);
  const selected = selectedBlog(...of);
  for (const kept of [selected, { ...selected, comments: [] }, { ...selected, comments: [], content: "" }]) {
    const text = JSON.stringify(kept);
    if (text.length > mostText) continue;
    try {
      localStorage.setItem(SELECTED_BLOG, text);
      return;
    } catch {
      // Full: less of it may fit.
    }
  }
  forget();
}

function forget(): void {
  try {
    localStorage.removeItem(SELECTED_BLOG);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
