import { QueryCache, QueryClient } from "@tanstack/react-query";
import { firstAnswer, retryShown } from "./retry.ts";

const isServer = typeof window === "undefined";

const createCache = (): QueryCache =>
  new QueryCache({ onError: (error, query) => void (isServer || retryShown(query, error)) });

/**
 * One for each tab, and one for each page that the server draws. Data does not go stale by the clock: live streams keep
 * what is on the page current, and each navigation asks again (see app/navigation.ts). One that fetches what is older than
 * `staleTime` ms may look into the cache of another.
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
        // The server draws what could not be had as it is; it has no second look.
        retryOnMount: !isServer,
        ...firstAnswer,
      },
      // A password that was sent is not kept once its form is closed.
      mutations: { networkMode: "always", gcTime: 0 },
    },
  });
}
