import { createWSClient, httpBatchLink, splitLink, wsLink } from "@trpc/client";
import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import { LiveLine } from "../live/line.ts";
import { watchReturns } from "../live/returns.ts";
import { overSocket } from "../live/socket.ts";
import { fetched } from "../live/transport.ts";
import { connection } from "./connection.ts";
import { fastCloseSocket } from "./fast-close-socket.ts";
import { fetchInTime } from "./fetch-in-time.ts";
import { Pauses } from "./pauses.ts";
import { trpc } from "./trpc.ts";

/** The server closes a socket with this code when the session it was opened with has ended. */
const SESSION_ENDED = 4401;
const SOCKET_KEPT_FOR = 10_000;

/**
 * The browser's client: queries and mutations over HTTP, subscriptions over one WebSocket, which is opened when the first
 * is asked for and closed when the last has gone. `onSessionEnd` is called when the server ends the session; `reconnect`
 * drops the connection, so that its streams go on over a new one that is opened with the cookie of now.
 */
export function createBrowserClient(onSessionEnd: () => void): {
  client: TRPCClient<AppRouter>;
  line: LiveLine;
  reconnect: () => void;
} {
  const pauses = new Pauses();
  const line: LiveLine = new LiveLine(
    [
      overSocket,
      fetched(async () => (await import("../live/events.ts")).overEvents),
      fetched(async () => (await import("../live/polling.ts")).byAsking(client)),
    ],
    connection,
  );
  const socket = createWSClient({
    // The pause is ours and not the client's, whose own can't be cut short.
    url: async () => {
      await pauses.take();
      return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/trpc`;
    },
    retryDelayMs: () => {
      pauses.failed();
      return 0;
    },
    onOpen: () => pauses.cut(),
    WebSocket: fastCloseSocket(WebSocket),
    lazy: { enabled: true, closeMs: SOCKET_KEPT_FOR },
    keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 3_000 },
    onClose: (cause) => {
      if (cause?.code === SESSION_ENDED) onSessionEnd();
    },
  });
  // The browser knows before the keep-alive does. Where it is wrong the connection is back at once.
  addEventListener("offline", () => socket.connection?.ws.close());
  addEventListener("online", () => pauses.cut());
  socket.connectionState.subscribe({
    next: ({ state }) => void (line.isFollowing || connection.become(state === "pending" ? "live" : state)),
  });
  const client = trpc.createClient({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: wsLink({ client: socket }),
        // Not the streaming link: it drops Set-Cookie.
        false: httpBatchLink({
          url: "/trpc",
          maxItems: 20,
          fetch: async (input, init) => {
            const response = await fetchInTime(input, init);
            if (response.ok) {
              pauses.cut();
              line.hurry();
            }
            return response;
          },
        }),
      }),
    ],
  });
  watchReturns(() => line.check());
  addEventListener("online", () => line.tryBetter());
  const reconnect = (): void => {
    socket.connection?.ws.close();
    line.reconnect();
  };
  return { client, line, reconnect };
}
