import type { QueryClient } from "@tanstack/react-query";
import type { Data } from "../api/trpc.ts";

/** Asks the API by a procedure's name, `"blogs.list"`. Rejects as its client does. */
export type Ask = (path: string, input: unknown) => Promise<unknown>;

/**
 * The questions of the API as a page's `prefetch` asks them on the server: each is asked once, and its answer is put where
 * the components look for it. Query's own way there is made for answers that are on their way for long: it costs more than
 * most of the answers.
 */
export function dataThrough(ask: Ask, queryClient: QueryClient): Data {
  const asked = new Map<string, Promise<unknown>>();
  const answerTo = (area: string, name: string, input: unknown): Promise<unknown> => {
    const path = [area, name];
    const queryKey = [path, input === undefined ? { type: "query" } : { input, type: "query" }];
    const question = JSON.stringify(queryKey);
    let answer = asked.get(question);
    if (!answer) {
      answer = ask(path.join("."), input).then(
        (data) => queryClient.setQueryData(queryKey, data) ?? data,
        // The components look for what went wrong there, too.
        (error: Error) => queryClient.fetchQuery({ queryKey, queryFn: () => Promise.reject(error) }),
      );
      asked.set(question, answer);
    }
    return answer;
  };
  return new Proxy(
    {},
    {
      get: (_areas, area: string) =>
        new Proxy(
          {},
          {
            get: (_names, name: string) => {
              const fetch = (input?: unknown) => answerTo(area, name, input);
              return { fetch, ensureData: fetch };
            },
          },
        ),
    },
  ) as Data;
}
