import { httpBatchLink } from "@trpc/client";
import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import { LiveLine } from "../live/line.ts";
import { watchReturns } from "../live/returns.ts";
import { overSocket } from "../live/socket.ts";
import { fetched } from "../live/transport.ts";
import { connection } from "../api/connection.ts";
import { fetchInTime } from "../api/fetch-in-time.ts";
import { trpc } from "../api/trpc.ts";

/** The browser's client: questions and changes over HTTP, and the line that its one stream comes over. */
export function createBrowserClient(): { client: TRPCClient<AppRouter>; line: LiveLine } {
  const line: LiveLine = new LiveLine(
    [
      overSocket,
      fetched(async () => (await import("../live/events.ts")).overEvents),
      fetched(async () => (await import("../live/polling.ts")).byAsking(client)),
    ],
    connection,
  );
  const client = trpc.createClient({
    links: [
      // Not the streaming link: it drops Set-Cookie.
      httpBatchLink({
        url: "/trpc",
        maxItems: 20,
        fetch: async (input, init) => {
          const response = await fetchInTime(input, init);
          if (response.ok) line.hurry();
          return response;
        },
      }),
    ],
  });
  watchReturns(() => line.check());
  addEventListener("online", () => line.tryBetter());
  return { client, line };
}
