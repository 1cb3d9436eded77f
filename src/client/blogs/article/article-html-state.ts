import type { BlogPage } from "../../../shared/blogs.ts";

/** Returns a query's data for the page's state, without HTML that the page already has. */
export function omitArticleHtml(path: unknown, data: unknown): unknown {
  return isArticleQuery(path) ? { ...(data as BlogPage), html: undefined } : data;
}

/** Returns the data with the article's HTML from the page. Must run before anything changes the DOM. */
export function restoreArticleHtml(path: unknown, data: unknown): unknown {
  return isArticleQuery(path) ? { ...(data as BlogPage), html: htmlInPage() } : data;
}

export const isArticleQuery = (path: unknown): boolean => String(path) === "blogs,bySlug";

// The HTML parser drops a line break right after <pre>: this restores it.
const htmlInPage = (): string =>
  document.querySelector(".prose")?.innerHTML.replace(/(<pre[^>]*>)(?=\n)/g, "$1\n") ?? "";
