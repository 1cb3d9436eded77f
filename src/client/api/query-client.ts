import { QueryCache, QueryClient, type Query } from "@tanstack/react-query";
import { isUnanswered } from "./errors.ts";
import { untilAnswered } from "./until-answered.ts";

/**
 * One for each tab, and one for each request on the server. Data does not go stale by the clock: live streams keep what
 * is on the page current, and each navigation asks again (see app/navigation.ts).
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => void (typeof window !== "undefined" && retryShown(query, error)),
    }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (failures, error) => typeof window !== "undefined" && failures < 2 && isUnanswered(error),
        retryDelay: (failures) => 400 * 2 ** failures,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

const beingRetried = new WeakSet<object>();

/**
 * What is shown was to be read anew, since an event said that it has changed, and the answer was lost: without another
 * try it would stay as it was. What is not shown is asked for when it is next.
 */
async function retryShown(query: AnyQuery, failure: unknown): Promise<void> {
  if (query.state.data === undefined || beingRetried.has(query)) return;
  beingRetried.add(query);
  let next = (): Promise<unknown> => Promise.reject(failure);
  const ask = (): Promise<unknown> => {
    const now = next;
    next = () => query.fetch();
    return now();
  };
  await untilAnswered(ask, () => query.isActive() && query.state.isInvalidated).catch(() => undefined);
  beingRetried.delete(query);
}

type AnyQuery = Query<unknown, unknown, unknown>;
