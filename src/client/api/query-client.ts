import { QueryCache, QueryClient } from "@tanstack/react-query";
import { firstAnswer, retryShown } from "./retry.ts";

const isServer = typeof window === "undefined";

const createCache = (): QueryCache =>
  new QueryCache({ onError: (error, query) => void (isServer || retryShown(query, error)) });

/**
 * Creates a query client: one for each tab, and one for each page that the server renders. Data does not go stale by the
 * clock: the live stream keeps what is on the page current, and each navigation fetches again (see app/browser-router.ts), by
 * a client over the same cache with a `staleTime` in ms.
 */
export function createQueryClient(queryCache = createCache(), staleTime = Infinity): QueryClient {
  return new QueryClient({
    queryCache,
    defaultOptions: {
      queries: {
        staleTime,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always",
        // The server renders a failed query as failed: it has no second render.
        retryOnMount: !isServer,
        ...firstAnswer,
      },
      // The variables of a mutation, such as a password, leave memory when its form closes.
      mutations: { networkMode: "always", gcTime: 0 },
    },
  });
}
