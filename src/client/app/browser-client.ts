import { LiveConnection } from "../live/connection/live-connection.ts";
import { onTabReturn } from "../live/connection/tab-return.ts";
import { webSocketTransport } from "../live/connection/web-socket.ts";
import { lazyTransport } from "../live/connection/transport.ts";
import { connectionStatus } from "../api/connection-status.ts";
import { createHttpClient } from "../api/client.ts";
import type { Client } from "../api/trpc.ts";

/** Creates the browser's client: queries and mutations over HTTP, and the live connection. */
export function createBrowserClient(): { client: Client; connection: LiveConnection } {
  const connection = new LiveConnection(
    [
      webSocketTransport,
      lazyTransport(
        async () => (await import("../live/connection/server-sent-events.ts")).serverSentEventsTransport,
      ),
    ],
    connectionStatus,
  );
  const client = createHttpClient(() => connection.retryNow());
  addEventListener("online", () => connection.onNewNetwork());
  onTabReturn(() => connection.check());
  return { client, connection };
}
