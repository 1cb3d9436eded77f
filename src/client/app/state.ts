import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { isArticleQuery, restoreArticleHtml, omitArticleHtml } from "../blogs/article/article-html-state.ts";
import type { ProblemResponse } from "./load-page.ts";

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
