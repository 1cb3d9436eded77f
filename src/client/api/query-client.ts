import { QueryCache, QueryClient } from "@tanstack/react-query";
import { firstAnswer, retryShown } from "./retry.ts";

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
        networkMode: "always",
        ...firstAnswer,
      },
      mutations: { networkMode: "always" },
    },
  });
}
