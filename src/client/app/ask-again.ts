import type { QueryClient } from "@tanstack/react-query";
import { connection } from "../api/connection.ts";

/** Asks again for what a page could not load, when the network or the server is back. Browser only, once. */
export function askAgainWhenBack(queryClient: QueryClient): void {
  const ask = (): void => {
    void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
  };
  addEventListener("online", ask);
  let before = connection.state;
  connection.subscribe(() => {
    if (before === "offline" && connection.state === "live") ask();
    before = connection.state;
  });
}
