import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { ProblemResponse } from "./load-page.ts";
import type { BlogPage } from "../../shared/blogs.ts";

/** What the browser needs to hydrate the page; embedded as JSON. */
export interface PageState {
  error?: ProblemResponse | undefined;
  /** When the page was rendered, in milliseconds; relative times of the first render use it. */
  now: number;
  queries: [key: QueryKey, data: unknown][];
}

export const STATE_ID = "state";

/**
 * Returns the queries for the browser, without the article's text, which the page contains; on an error page without the blog.
 */
export const packQueries = (queryClient: QueryClient, isRendered: boolean): PageState["queries"] =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(
      ({ queryKey: [path], state: { data } }) => data !== undefined && (isRendered || !isArticleQuery(path)),
    )
    .map(({ queryKey, state: { data } }) => [queryKey, omitArticleHtml(queryKey[0], data)]);

export function unpackQueries(queryClient: QueryClient, { queries, now }: PageState): void {
  for (const [key, data] of queries)
    queryClient.setQueryData(key, restoreArticleHtml(key[0], data), { updatedAt: now });
}

/** Returns JSON that cannot end a script element or be read as a comment. */
export function scriptText(value: object): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns a query's data for the page's state, without HTML that the page already has. */
function omitArticleHtml(path: unknown, data: unknown): unknown {
  return isArticleQuery(path) ? { ...(data as BlogPage), html: undefined } : data;
}

/** Returns the data with the article's HTML from the page. Must run before anything changes the DOM. */
function restoreArticleHtml(path: unknown, data: unknown): unknown {
  return isArticleQuery(path) ? { ...(data as BlogPage), html: htmlInPage() } : data;
}

const isArticleQuery = (path: unknown): boolean => String(path) === "blogs,bySlug";

// The HTML parser drops a line break right after <pre>: this restores it.
const htmlInPage = (): string =>
  document.querySelector(".prose")?.innerHTML.replace(/(<pre[^>]*>)(?=\n)/g, "$1\n") ?? "";
