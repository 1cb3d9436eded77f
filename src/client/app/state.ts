import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { isBlog, withDrawn, withoutDrawn } from "../blogs/article/drawn-text.ts";
import type { ProblemResponse } from "./load-page.ts";

/** What the browser needs to take over the page that the server rendered. It stands in the page as JSON. */
export interface PageState {
  /** Why an error page is shown instead. */
  error?: ProblemResponse | undefined;
  /** When it was rendered, in milliseconds: relative times of the first render in the browser count from here. */
  now: number;
  queries: [key: QueryKey, data: unknown][];
}

export const STATE_ID = "state";

/** Of all that was answered, what the browser needs. Of a page that is `drawn` what it shows whole is left out, of another all of the blog. */
export const packQueries = (queryClient: QueryClient, drawn: boolean): PageState["queries"] =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(({ queryKey: [path], state: { data } }) => data !== undefined && (drawn || !isBlog(path)))
    .map(({ queryKey, state: { data } }) => [queryKey, withoutDrawn(queryKey[0], data)]);

export function unpackQueries(queryClient: QueryClient, { queries, now }: PageState): void {
  for (const [key, data] of queries)
    queryClient.setQueryData(key, withDrawn(key[0], data), { updatedAt: now });
}

/** JSON that may stand between the tags of a script: nothing in it can end the element or be read as a comment. */
export function scriptText(value: object): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
