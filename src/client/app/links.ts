import { LiveLine } from "../live/line.ts";
import { watchReturns } from "../live/returns.ts";
import { overSocket } from "../live/socket.ts";
import { fetched } from "../live/transport.ts";
import { connection } from "../api/connection.ts";
import { createHttpClient } from "../api/client.ts";
import type { Client } from "../api/trpc.ts";

/** The browser's client: questions and changes over HTTP, and the line that its one stream comes over. */
export function createBrowserClient(): { client: Client; line: LiveLine } {
  const line: LiveLine = new LiveLine(
    [
      overSocket,
      fetched(async () => (await import("../live/events.ts")).overEvents),
      fetched(async () => (await import("../live/polling.ts")).byAsking(client)),
    ],
    connection,
  );
  const client = createHttpClient(() => line.hurry());
  watchReturns(() => line.check());
  addEventListener("online", () => line.tryBetter());
  return { client, line };
}
