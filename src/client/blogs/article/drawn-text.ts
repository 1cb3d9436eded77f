import type { BlogPage } from "../../../shared/blogs.ts";

/** What a page's state has of an answer: the text of the article that it draws stands in the page once. */
export function withoutDrawn(path: unknown, data: unknown): unknown {
  return isBlog(path) ? { ...(data as BlogPage), html: undefined } : data;
}

/** The answer again, in the browser, with the text from the page that it stands in. To be called before anything touches the page. */
export function withDrawn(path: unknown, data: unknown): unknown {
  return isBlog(path) ? { ...(data as BlogPage), html: drawnText() } : data;
}

export const isBlog = (path: unknown): boolean => String(path) === "blogs,bySlug";

// A browser drops a line break right after <pre>: what it gives back lacks the one that the server put there for it.
const drawnText = (): string =>
  document.querySelector(".prose")?.innerHTML.replace(/(<pre[^>]*>)(?=\n)/g, "$1\n") ?? "";
