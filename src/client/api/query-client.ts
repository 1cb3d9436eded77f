import { QueryCache, QueryClient } from "@tanstack/react-query";
import { firstFetchOptions, retryShown } from "./retry.ts";

const isServer = typeof window === "undefined";

/** A `staleTime` of data that is fetched each time. With 0 it is not where the device's clock was set back since the last fetch. */
export const STALE_AT_ONCE = -Infinity;

const createCache = (): QueryCache =>
  new QueryCache({ onError: (error, query) => void (isServer || retryShown(query, error)) });

/**
 * Creates a query client, one per tab and per server-rendered page. Data does not go stale with time: the live stream updates
 * what is shown, and each navigation fetches again (see app/browser-router.ts), by a client over the same cache with a
 * `staleTime` in ms.
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
        ...firstFetchOptions,
      },
      // The variables of a mutation, such as a password, leave memory when its form closes.
      mutations: { networkMode: "always", gcTime: 0 },
    },
  });
}
