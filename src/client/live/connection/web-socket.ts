import { createWSClient, wsLink } from "@trpc/client";
import { createSubscription } from "./subscription.ts";
import type { Transport } from "./transport.ts";

/** The server closes a socket with this code when the session it was opened with has ended. */
const SESSION_ENDED = 4401;

/** The milliseconds after which a socket that is still connecting is closed all the same. */
const CLOSE_AFTER = 1_000;

/**
 * Creates the transport over sockets of this class. A stream uses one socket until it is lost: `LiveConnection` opens the next,
 * with the topics of that moment. A closed stream calls its listener no more, even where the browser waits a minute for a dead
 * network.
 */
export const createWebSocketTransport =
  (Socket: typeof WebSocket, url: () => string): Transport =>
  (listener) => {
    let socket: WebSocket | undefined;
    let isClosed = false;
    const watch = (opened: WebSocket): void => {
      socket = opened;
      opened.addEventListener("message", ({ data }) => {
        if (!isClosed && (data === "PING" || data === "PONG")) listener.onAlive();
      });
    };
    class WatchedSocket extends Socket {
      constructor(address: string | URL) {
        super(address);
        watch(this);
      }
    }
    const close = (): void => {
      isClosed = true;
      subscription.end();
      // Waits for a socket that is connecting, since closing it earlier logs an error on the console.
      void client.close();
      // But not for long: the browser opens no second socket to a host while the first one connects.
      setTimeout(() => socket?.close(), CLOSE_AFTER);
    };
    const disconnect = (code?: number): void => {
      if (isClosed) return;
      close();
      listener.onLost(code === SESSION_ENDED);
    };
    const client = createWSClient({
      url,
      WebSocket: WatchedSocket,
      onError: () => disconnect(),
      onClose: (closeEvent) => disconnect(closeEvent?.code),
    });
    // The socket itself reports a lost connection.
    const subscription = createSubscription(wsLink({ client }), listener, () => {});
    return {
      follow: subscription.follow,
      ping() {
        if (socket?.readyState === Socket.OPEN) socket.send("PING");
      },
      close,
    };
  };

/** The transport over the page's own WebSocket. */
export const webSocketTransport: Transport = (listener) =>
  createWebSocketTransport(
    WebSocket,
    () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/trpc`,
  )(listener);
