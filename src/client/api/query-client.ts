import { QueryClient } from "@tanstack/react-query";
import { isUnanswered } from "./errors.ts";

/**
 * One for each tab, and one for each request on the server. Data does not go stale by the clock: live streams keep what
 * is on the page current, and each navigation asks again (see app/navigation.ts).
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
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
